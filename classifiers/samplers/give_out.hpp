// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "classifiers/samplers/sampler.hpp"
#include "framework/base/random.hpp"

namespace mash {

// Gives `total` candidates out among families, a block at a time: each to the family k with the largest
// value_with(k, count), ties drawn; take(k, count, value) is told of it. counts: what each family has
// already, never more than its size; it grows as blocks are given out.
template <class ValueWith, class Take>
void give_out(std::uint64_t total, std::uint64_t block, std::span<const std::uint64_t> sizes,
              std::vector<std::uint64_t>& counts, RandomStream& ties, const ValueWith& value_with,
              const Take& take) {
  constexpr double kUsedUp = -std::numeric_limits<double>::infinity();
  std::vector<double> values(sizes.size());
  while (total > 0) {
    const auto next_block = [&](std::size_t k) { return std::min({block, total, sizes[k] - counts[k]}); };
    for (std::size_t k = 0; k < sizes.size(); ++k)
      values[k] = next_block(k) == 0 ? kUsedUp : value_with(k, double(next_block(k)));
    if (std::count(values.begin(), values.end(), kUsedUp) == std::ptrdiff_t(values.size())) return;
    const std::uint32_t winner = argmax(values, ties);
    const std::uint64_t count = next_block(winner);
    counts[winner] += count;
    total -= count;
    take(winner, double(count), values[winner]);
  }
}

}  // namespace mash
