// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/double_search.hpp"

#include <algorithm>

namespace mash {

void DoubleSearch::find_edges(std::span<const CodeColumn> columns, const WeighedRows& rows,
                              std::span<Candidate> out) const {
  constexpr std::size_t kCodes = 256;
  const std::size_t num_classes = context().weights.num_classes();
  std::vector<double> sums(kCodes * num_classes);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t r = 0; r < rows.num_rows; ++r)
      for (std::size_t l = 0; l < num_classes; ++l)
        sums[columns[i].codes[r] * num_classes + l] += rows.exact[r * num_classes + l];
    out[i].edge = criterion().best_cut({sums, columns[i].num_cuts + 1, num_classes}).edge;
  }
}

}  // namespace mash
