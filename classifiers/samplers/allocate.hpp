// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "classifiers/samplers/sampler.hpp"

namespace mash {

// Candidates to be shared out among families.
struct CandidatesToAllocate {
  std::uint64_t total = 0;
  std::uint64_t block = 1;               // how many are allocated at a time
  std::span<const std::uint64_t> sizes;  // of the families: none gets more candidates
};

// Decides ties between families: the smallest number wins. count: of candidates that the family has.
using AllocationTies = std::function<std::uint64_t(std::uint32_t family, std::uint64_t count)>;

// Allocates the candidates a block at a time, each to the family k with the largest value_with(k, count),
// ties by ties(k, what k has already); take(k, count, value) is told of it. counts: what each family has
// already, never more than its size; it grows as blocks are allocated. Stops early where all families are
// used up.
template <class ValueWith, class Take>
void allocate(const CandidatesToAllocate& candidates, std::vector<std::uint64_t>& counts,
              const AllocationTies& ties, const ValueWith& value_with, const Take& take) {
  constexpr double kUsedUp = -std::numeric_limits<double>::infinity();
  const std::span<const std::uint64_t> sizes = candidates.sizes;
  std::vector<double> values(sizes.size());
  std::uint64_t left = candidates.total;
  while (left > 0) {
    const auto next_block = [&](std::size_t k) {
      return std::min({candidates.block, left, sizes[k] - counts[k]});
    };
    for (std::size_t k = 0; k < sizes.size(); ++k)
      values[k] = next_block(k) == 0 ? kUsedUp : value_with(k, double(next_block(k)));
    if (std::count(values.begin(), values.end(), kUsedUp) == std::ptrdiff_t(values.size())) return;
    const std::uint32_t winner = argmax(values, [&](std::uint32_t k) { return ties(k, counts[k]); });
    const std::uint64_t count = next_block(winner);
    counts[winner] += count;
    left -= count;
    take(winner, double(count), values[winner]);
  }
}

}  // namespace mash
