// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/scan/code_search.hpp"

namespace mash {

// Search with weights in double precision, added in plain loops. It is the reference, and the search for
// criteria without an integer kernel.
class DoubleSearch final : public CodeSearch {
 public:
  using CodeSearch::CodeSearch;

 private:
  void find_edges(std::span<const CodeColumn> columns, const WeighedRows& rows,
                  std::span<Candidate> out) const override;
};

}  // namespace mash
