// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mash/heuristic.hpp>
#include <span>
#include <vector>

#include "heuristics/common/integral.hpp"

namespace mash::heuristics {

// The cells of a spatial pyramid (Lazebnik, Schmid & Ponce 2006): level l cuts the view into 2^l x 2^l cells.
// With overlap there is also a cell astride each two neighbours, so that level l has (2^(l+1) - 1)^2.
class CellPyramid {
 public:
  CellPyramid(std::uint32_t num_levels, bool overlap) : num_levels_(num_levels), overlap_(overlap) {}

  std::uint32_t num_cells() const {
    std::uint32_t sum = 0;
    for (std::uint32_t level = 0; level < num_levels_; ++level) sum += side(level) * side(level);
    return sum;
  }

  // Calls body(box) for each cell: level by level, row by row. A cell of a tiny view may be empty.
  template <class Body>
  void for_cells(Size size, const Body& body) const {
    for (std::uint32_t level = 0; level < num_levels_; ++level) {
      const std::uint32_t step = overlap_ ? 1 : 2, num_halves = 2u << level;
      const auto at = [&](std::uint32_t half, std::uint32_t length) {
        return std::uint32_t(std::uint64_t(half) * length / num_halves);
      };
      for (std::uint32_t y = 0; y + 2 <= num_halves; y += step)
        for (std::uint32_t x = 0; x + 2 <= num_halves; x += step)
          body(Box{at(x, size.width), at(y, size.height), at(x + 2, size.width), at(y + 2, size.height)});
    }
  }

 private:
  std::uint32_t side(std::uint32_t level) const { return overlap_ ? (2u << level) - 1 : 1u << level; }

  std::uint32_t num_levels_;
  bool overlap_;
};

// Adds up how often each code < num_codes occurs in each cell, as fractions of the cell's pixels:
// out[cell * num_codes + code], all of it written. codes: row by row.
inline void cell_histograms(const CellPyramid& pyramid, Size size, std::span<const std::uint16_t> codes,
                            std::size_t num_codes, float* out) {
  pyramid.for_cells(size, [&](const Box& cell) {
    std::fill(out, out + num_codes, 0.f);
    for (std::uint32_t y = cell.top; y < cell.bottom; ++y)
      for (std::uint32_t x = cell.left; x < cell.right; ++x) out[codes[std::size_t(y) * size.width + x]] += 1;
    const float area = float(cell.right - cell.left) * float(cell.bottom - cell.top);
    for (std::size_t code = 0; code < num_codes; ++code) out[code] /= std::max(area, 1.f);
    out += num_codes;
  });
}

}  // namespace mash::heuristics
