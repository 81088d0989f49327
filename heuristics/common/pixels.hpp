// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mash/heuristic.hpp>
#include <vector>

namespace mash::heuristics {

// Copies `width` samples of a plane's row to `out`.
template <class T>
void copy_row(const Plane& plane, std::uint32_t y, std::uint32_t width, T* out) {
  const std::uint8_t* row = plane.row(y);
  const std::ptrdiff_t step = plane.column_stride();
  if (step == 1) {
    std::copy(row, row + width, out);
  } else {
    for (std::uint32_t x = 0; x < width; ++x) out[x] = T(row[std::ptrdiff_t(x) * step]);
  }
}

// A plane copied to packed rows, with `border` pixels more on each side that repeat the outermost ones, so
// that neighbourhoods need no tests.
class Pixels {
 public:
  void read(const Plane& plane, Size size, std::uint32_t border = 0) {
    border_ = border;
    stride_ = std::ptrdiff_t(size.width) + 2 * std::ptrdiff_t(border);
    samples_.resize(std::size_t(stride_) * (size.height + 2 * std::size_t(border)));
    for (std::uint32_t y = 0; y < size.height; ++y) {
      std::uint8_t* row = mutable_row(y);
      copy_row(plane, y, size.width, row);
      std::fill(row - border, row, row[0]);
      std::fill(row + size.width, row + size.width + border, row[size.width - 1]);
    }
    const std::ptrdiff_t last = std::ptrdiff_t(size.height) - 1;
    for (std::ptrdiff_t i = 1; i <= border_; ++i) {
      std::copy_n(mutable_row(0) - border_, stride_, mutable_row(-i) - border_);
      std::copy_n(mutable_row(last) - border_, stride_, mutable_row(last + i) - border_);
    }
  }

  // The sample at x = 0 of row y; x and y may lie in the border.
  const std::uint8_t* row(std::ptrdiff_t y) const {
    return samples_.data() + (y + border_) * stride_ + border_;
  }
  std::ptrdiff_t stride() const { return stride_; }

 private:
  std::uint8_t* mutable_row(std::ptrdiff_t y) { return samples_.data() + (y + border_) * stride_ + border_; }

  std::vector<std::uint8_t> samples_;
  std::ptrdiff_t stride_ = 0, border_ = 0;
};

}  // namespace mash::heuristics
