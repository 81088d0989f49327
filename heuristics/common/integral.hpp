// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mash/heuristic.hpp>
#include <vector>

namespace mash::heuristics {

// The pixels with left <= x < right and top <= y < bottom.
struct Box {
  std::uint32_t left, top, right, bottom;
};

// The integral image of the grey plane (Viola & Jones 2001): the sum over any box from four look-ups; the
// host's, which all heuristics share, where it has one. Sums are exact modulo 2^32, hence exact for boxes of
// up to 2^24 pixels.
class IntegralImage {
 public:
  void read(const View& view) {
    map_ = view.integral();
    if (!map_) {
      make_own(view);
      map_ = {own_.data(), std::size_t(view.width()) + 1};
    }
    if (view.gray().column_stride() == 1)
      read_moments<1>(view);
    else
      read_moments<0>(view);
  }

  std::uint32_t sum(const Box& box) const {
    const std::uint32_t *top = map_.row(box.top), *bottom = map_.row(box.bottom);
    return bottom[box.right] - bottom[box.left] - top[box.right] + top[box.left];
  }

  double mean() const { return mean_; }            // of the view's grey values
  double deviation() const { return deviation_; }  // their standard deviation

 private:
  // From the pixels, in vectors, which costs less than a second map, of squares. kColumnStride: 0 where it is
  // not known.
  template <std::ptrdiff_t kColumnStride>
  void read_moments(const View& view) {
    const std::ptrdiff_t stride = kColumnStride != 0 ? kColumnStride : view.gray().column_stride();
    std::uint64_t sum = 0, sum_of_squares = 0;
    for (std::uint32_t y = 0; y < view.height(); ++y) {
      const std::uint8_t* row = view.gray().row(y);
      for (std::uint32_t begin = 0, end = 0; begin < view.width(); begin = end) {
        end = std::min(begin + (1u << 16), view.width());
        std::uint32_t part = 0, squares = 0;  // at most 2^16 * 255^2 < 2^32
        for (std::uint32_t x = begin; x < end; ++x) {
          const std::uint32_t value = row[std::ptrdiff_t(x) * stride];
          part += value;
          squares += value * value;
        }
        sum += part;
        sum_of_squares += squares;
      }
    }
    const double num_pixels = double(view.width()) * view.height();
    mean_ = double(sum) / num_pixels;
    deviation_ = std::sqrt(std::max(0.0, double(sum_of_squares) / num_pixels - mean_ * mean_));
  }

  void make_own(const View& view) {
    const std::size_t row_size = std::size_t(view.width()) + 1;
    own_.assign(row_size * (std::size_t(view.height()) + 1), 0);
    for (std::uint32_t y = 0; y < view.height(); ++y) {
      const std::size_t above = y * row_size, here = above + row_size;
      std::uint32_t sum = 0;
      for (std::uint32_t x = 0; x < view.width(); ++x)
        own_[here + x + 1] = own_[above + x + 1] + (sum += view.gray()(x, y));
    }
  }

  SharedMap<std::uint32_t> map_;  // (x, y) = sum over the box from the view's corner, or from the image's
  std::vector<std::uint32_t> own_;
  double mean_ = 0, deviation_ = 0;
};

}  // namespace mash::heuristics
