// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mash/heuristic.hpp>

#include "heuristics/common/local_binary_pattern.hpp"
#include "heuristics/common/pixels.hpp"

namespace mash::heuristics {

// out[y * width + x] = pattern(centre, offsets) of each grey pixel and its eight neighbours at distance
// `radius`. Beyond the border the outermost pixels repeat. pixels: a buffer that is used again.
template <class Pattern, class Out>
void pixel_patterns(const View& view, std::uint32_t radius, const Pattern& pattern, Pixels& pixels,
                    Out* out) {
  pixels.read(view.gray(), {view.width(), view.height()}, radius);
  const auto offsets = neighbour_offsets(pixels.stride(), radius);
  for (std::uint32_t y = 0; y < view.height(); ++y) {
    const std::uint8_t* row = pixels.row(y);
    for (std::uint32_t x = 0; x < view.width(); ++x) *out++ = Out(pattern(row + x, offsets));
  }
}

}  // namespace mash::heuristics
