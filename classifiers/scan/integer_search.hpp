// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "classifiers/scan/code_search.hpp"

namespace mash {

// Search with weights rounded to integers of 16 or 8 bits. The sums do not depend on the order of examples,
// and the kernels of histogram.hpp find the edges. REQUIRES: criterion.has_integer_kernel().
template <class Integer>
class IntegerSearch final : public CodeSearch {
 public:
  using CodeSearch::CodeSearch;

 private:
  void prepare(double num_pairs) const override;
  void find_edges(std::span<const CodeColumn> columns, const WeighedRows& rows,
                  std::span<Candidate> out) const override;
};

extern template class IntegerSearch<std::int16_t>;
extern template class IntegerSearch<std::int8_t>;

}  // namespace mash
