// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/scan/code_search.hpp"

namespace mash {

// Weights in double precision, added in plain loops: the reference, and the way for criteria of which there
// is no integer kernel.
class DoubleSearch final : public CodeSearch {
 public:
  using CodeSearch::CodeSearch;

 private:
  void find_edges(std::span<const CodeColumn> columns, const WeighedRows& rows,
                  std::span<Candidate> out) const override;
};

}  // namespace mash
