// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classifiers/scan/kernels/histogram.hpp"

namespace mash::bench {

// One way to write the loop that adds rows of weights to the sums of each feature's codes, and nothing else:
// what the scan's own loop is compared with, on the same codes and weights.
struct MicroKernel {
  std::string name;
  double pairs_per_second = 0;
  bool is_exact = false;  // each sum equals that of plain loops
};

// Each of them, timed on these columns. REQUIRES: 9 to 16 classes, so that a row is one strip; every column
// is dense; their number is a multiple of 16.
std::vector<MicroKernel> time_micro_kernels(std::span<const CodeColumn> columns,
                                            const WeightRows<std::int16_t>& rows);
std::vector<MicroKernel> time_micro_kernels(std::span<const CodeColumn> columns,
                                            const WeightRows<std::int8_t>& rows);

}  // namespace mash::bench
