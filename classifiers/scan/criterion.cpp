// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/criterion.hpp"

namespace mash {

std::vector<double> sum_of_rows(std::span<const double> rows, std::size_t row_size) {
  std::vector<double> sums(row_size);
  for (std::size_t begin = 0; begin < rows.size(); begin += row_size)
    for (std::size_t l = 0; l < row_size; ++l) sums[l] += rows[begin + l];
  return sums;
}

std::vector<double> class_edges(const CodeSums& sums, std::uint32_t cut) {
  std::vector<double> edges(sums.row_size);
  for (std::size_t code = 0; code < sums.num_codes; ++code) {
    const double sign = code >= cut ? 1 : -1;
    for (std::size_t l = 0; l < sums.row_size; ++l) edges[l] += sign * sums.sums[code * sums.row_size + l];
  }
  return edges;
}

}  // namespace mash
