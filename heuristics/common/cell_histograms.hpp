// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mash/heuristic.hpp>
#include <span>
#include <vector>

#include "heuristics/common/cells.hpp"

namespace mash::heuristics {

// Adds up how often each code < num_codes occurs in each cell, as fractions of the cell's pixels:
// out[cell * num_codes + code], all of it written. codes: row by row; cells: a CellGrid or a CellPyramid.
template <class Cells>
void cell_histograms(const Cells& cells, Size size, std::span<const std::uint16_t> codes,
                     std::size_t num_codes, float* out) {
  std::vector<std::uint32_t> counts(num_codes);
  cells.for_cells(size, [&](const Box& cell) {
    std::fill(counts.begin(), counts.end(), 0u);
    for (std::uint32_t y = cell.top; y < cell.bottom; ++y) {
      const std::uint16_t* row = &codes[std::size_t(y) * size.width];
      // Runs of equal codes are added at once: one by one, each would wait for the one before.
      for (std::uint32_t x = cell.left; x < cell.right;) {
        const std::uint32_t first = x;
        while (++x < cell.right && row[x] == row[first]) {
        }
        counts[row[first]] += x - first;
      }
    }
    const float area = float(cell.right - cell.left) * float(cell.bottom - cell.top);
    for (std::size_t code = 0; code < num_codes; ++code)
      out[code] = float(counts[code]) / std::max(area, 1.f);
    out += num_codes;
  });
}

}  // namespace mash::heuristics
