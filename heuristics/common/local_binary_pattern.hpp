// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace mash::heuristics {

// The steps from a pixel to its eight neighbours at distance `radius` along rows, columns and diagonals,
// counter-clockwise from the right, as steps in memory. Neighbour p is bit p of a pattern.
inline std::array<std::ptrdiff_t, 8> neighbour_offsets(std::ptrdiff_t stride, std::ptrdiff_t radius) {
  const std::ptrdiff_t right = radius, down = radius * stride;
  return {right, right - down, -down, -right - down, -right, down - right, down, right + down};
}

// LBP (Ojala, Pietikainen & Harwood 1996): bit p is set where neighbour p is at least as bright as the
// centre.
inline std::uint32_t local_binary_pattern(const std::uint8_t* centre,
                                          const std::array<std::ptrdiff_t, 8>& offsets) {
  std::uint32_t code = 0;
  for (std::uint32_t p = 0; p < 8; ++p) code |= std::uint32_t(centre[offsets[p]] >= *centre) << p;
  return code;
}

// Bits 0 to 7 tell which neighbours are brighter than the mean of all nine pixels, bit 8 whether the centre
// is; with kIsStrict false, which are at least as bright. Compared exactly, without a division.
template <bool kIsStrict>
std::uint32_t mean_pattern(const std::uint8_t* centre, const std::array<std::ptrdiff_t, 8>& offsets) {
  std::uint32_t sum = *centre;
  for (const std::ptrdiff_t offset : offsets) sum += centre[offset];
  const std::uint32_t limit = sum + std::uint32_t(kIsStrict);
  std::uint32_t code = std::uint32_t(9u * *centre >= limit) << 8;
  for (std::uint32_t p = 0; p < 8; ++p) code |= std::uint32_t(9u * centre[offsets[p]] >= limit) << p;
  return code;
}

}  // namespace mash::heuristics
