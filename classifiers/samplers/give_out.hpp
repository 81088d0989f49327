// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {

// Gives `total` candidates out among families, a block at a time: each to the family k with the largest
// value_with(k, count), ties drawn; take(k, count, value) is told of it. counts: what each family has
// already, never more than its size; it grows as blocks are given out.
template <class ValueWith, class Take>
void give_out(std::uint64_t total, std::uint64_t block, std::span<const std::uint64_t> sizes,
              std::vector<std::uint64_t>& counts, RandomStream& ties, const ValueWith& value_with,
              const Take& take) {
  while (total > 0) {
    const auto next_block = [&](std::size_t k) { return std::min({block, total, sizes[k] - counts[k]}); };
    std::vector<std::size_t> winners;
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (next_block(k) == 0) continue;
      const double value = value_with(k, double(next_block(k)));
      if (value > best) winners.clear();
      if (value >= best) winners.push_back(k);
      best = std::max(best, value);
    }
    if (winners.empty()) return;  // every family is used up
    const std::size_t winner = winners[winners.size() == 1 ? 0 : ties.below(winners.size())];
    const std::uint64_t count = next_block(winner);
    counts[winner] += count;
    total -= count;
    take(winner, double(count), best);
  }
}

}  // namespace mash
