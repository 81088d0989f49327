// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mash {

// Prefix sums of weights, in whole blocks (the last sum repeated), and each block's last.
struct PrefixSums {
  std::span<const double> sums;
  std::span<const double> block_ends;

  static constexpr std::size_t kBlock = 8;
};

// For each place the example whose prefix sum is the first above it: the examples, each once, and how many
// places it has. places: increasing, below the last sum, then infinity. rows, counts: room for one less than
// the places. Gives how many of them were written.
std::size_t find_places(const PrefixSums& sums, std::span<const double> places, std::uint32_t* rows,
                        double* counts);

// The same with a binary search for each place: the reference.
std::size_t find_places_reference(const PrefixSums& sums, std::span<const double> places, std::uint32_t* rows,
                                  double* counts);

}  // namespace mash
