// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "heuristics/common/wide_vectors.hpp"

namespace mash::heuristics {

// out[i] = sum over k of weights[k] * rows[i + k * step], i < n, added up in this order.
// Not inlined: on its own the compiler keeps the sums in vector registers, which makes it four times as fast.
[[gnu::noinline, maybe_unused]] MASH_WIDE_VECTORS static void add_weighted_rows(
    const float* rows, std::size_t step, std::span<const float> weights, std::size_t n, float* out) {
  constexpr std::size_t kBlock = 32;  // values: as many sums as fit into vector registers
  std::size_t start = 0;
  for (; start + kBlock <= n; start += kBlock) {
    float sums[kBlock] = {};
    const float* from = rows + start;
    for (const float weight : weights) {
      for (std::size_t i = 0; i < kBlock; ++i) sums[i] += weight * from[i];
      from += step;
    }
    std::copy(sums, sums + kBlock, out + start);
  }
  for (; start < n; ++start) {
    float sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) sum += weights[k] * rows[start + k * step];
    out[start] = sum;
  }
}

}  // namespace mash::heuristics
