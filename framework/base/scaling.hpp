// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mash {

// Pixels of three channels, a byte each, side by side; rows top down.
struct RgbView {
  const std::uint8_t* origin = nullptr;
  std::ptrdiff_t row_stride = 0;  // bytes from one row to the next
  std::uint32_t width = 0, height = 0;
};

// The same, with pixels of its own and rows without gaps.
struct RgbPicture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;

  RgbView view() const { return {pixels.data(), std::ptrdiff_t(3) * width, width, height}; }
};

// The picture in another size: the mean of an area where a side shrinks, cubic interpolation where it grows,
// the sides that shrink first. Every byte is that of OpenCV's INTER_AREA and INTER_CUBIC on x86-64, on any
// machine. This file and its source need nothing but C++, as bundles have them. REQUIRES: sides from 1 to
// 16384.
RgbPicture stretched(const RgbView& picture, std::uint32_t width, std::uint32_t height);

// The whole picture, its proportions kept, in the middle of a black one of that size. REQUIRES: as stretched.
RgbPicture fitted(const RgbView& picture, std::uint32_t width, std::uint32_t height);

// The middle of the picture that has the proportions asked for, in that size. REQUIRES: as stretched.
RgbPicture cropped(const RgbView& picture, std::uint32_t width, std::uint32_t height);

}  // namespace mash
