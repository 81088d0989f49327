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

}  // namespace mash::heuristics
