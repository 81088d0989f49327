// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace mash {

// A picture as a caller of a bundle has it: a byte for each channel, rows without gaps.
struct CheckPicture {
  std::uint32_t width = 0, height = 0, channels = 0;  // 1, 3 or 4
  std::vector<std::uint8_t> pixels;
};

// Pictures on which a bundle compares itself with the machine that it was made on: slopes with noise, each
// with other channels, of that size or, where other sizes are resized, of several. The same on every machine;
// this file and its source need nothing but C++, as bundles have them. REQUIRES: sides from 1 to 16384.
std::vector<CheckPicture> check_pictures(std::uint32_t width, std::uint32_t height, bool resizes);

}  // namespace mash
