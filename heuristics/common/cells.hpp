// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mash/heuristic.hpp>

#include "heuristics/common/integral.hpp"

namespace mash::heuristics {

// One level of a spatial pyramid (Lazebnik, Schmid & Ponce 2006): level l cuts the view into 2^l x 2^l cells.
// With overlap there is also a cell astride each two neighbours, so that level l has (2^(l+1) - 1)^2.
class CellGrid {
 public:
  CellGrid(std::uint32_t level, bool overlap) : level_(level), overlap_(overlap) {}

  std::uint32_t num_cells() const {
    const std::uint32_t side = overlap_ ? (2u << level_) - 1 : 1u << level_;
    return side * side;
  }

  // Calls body(box) for each cell, row by row. A cell of a tiny view may be empty.
  template <class Body>
  void for_cells(Size size, const Body& body) const {
    const std::uint32_t step = overlap_ ? 1 : 2, num_halves = 2u << level_;
    const auto at = [&](std::uint32_t half, std::uint32_t length) {
      return std::uint32_t(std::uint64_t(half) * length / num_halves);
    };
    for (std::uint32_t y = 0; y + 2 <= num_halves; y += step)
      for (std::uint32_t x = 0; x + 2 <= num_halves; x += step)
        body(Box{at(x, size.width), at(y, size.height), at(x + 2, size.width), at(y + 2, size.height)});
  }

 private:
  std::uint32_t level_;
  bool overlap_;
};

// Levels 0 to num_levels - 1, one after the other.
class CellPyramid {
 public:
  CellPyramid(std::uint32_t num_levels, bool overlap) : num_levels_(num_levels), overlap_(overlap) {}

  std::uint32_t num_cells() const {
    std::uint32_t sum = 0;
    for (std::uint32_t level = 0; level < num_levels_; ++level) sum += CellGrid(level, overlap_).num_cells();
    return sum;
  }

  template <class Body>
  void for_cells(Size size, const Body& body) const {
    for (std::uint32_t level = 0; level < num_levels_; ++level)
      CellGrid(level, overlap_).for_cells(size, body);
  }

 private:
  std::uint32_t num_levels_;
  bool overlap_;
};

}  // namespace mash::heuristics
