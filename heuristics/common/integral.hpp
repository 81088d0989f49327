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
    SharedMap<std::uint64_t> squares = view.integral_of_squares();
    if (!map_ || !squares) {
      make_own(view);
      map_ = {own_.data(), std::size_t(view.width()) + 1};
      squares = {own_squares_.data(), map_.row_stride};
    }
    const double num_pixels = double(view.width()) * view.height();
    mean_ = double(sum_of_view(view)) / num_pixels;
    const double mean_square = double(difference(squares, {0, 0, view.width(), view.height()})) / num_pixels;
    deviation_ = std::sqrt(std::max(0.0, mean_square - mean_ * mean_));
  }

  std::uint32_t sum(const Box& box) const { return difference(map_, box); }

  double mean() const { return mean_; }            // of the view's grey values
  double deviation() const { return deviation_; }  // their standard deviation

 private:
  template <class T>
  static T difference(const SharedMap<T>& map, const Box& box) {
    const T *top = map.row(box.top), *bottom = map.row(box.bottom);
    return bottom[box.right] - bottom[box.left] - top[box.right] + top[box.left];
  }

  // In bands of rows whose sums are exact.
  std::uint64_t sum_of_view(const View& view) const {
    const std::uint32_t height = std::max(1u, (1u << 24) / view.width());
    std::uint64_t total = 0;
    for (std::uint32_t top = 0; top < view.height(); top += height)
      total += sum({0, top, view.width(), std::min(view.height(), top + height)});
    return total;
  }

  void make_own(const View& view) {
    const std::size_t row_size = std::size_t(view.width()) + 1;
    own_.assign(row_size * (std::size_t(view.height()) + 1), 0);
    own_squares_.assign(own_.size(), 0);
    for (std::uint32_t y = 0; y < view.height(); ++y) {
      const std::size_t above = y * row_size, here = above + row_size;
      std::uint32_t sum = 0;
      std::uint64_t sum_of_squares = 0;
      for (std::uint32_t x = 0; x < view.width(); ++x) {
        const std::uint32_t value = view.gray()(x, y);
        own_[here + x + 1] = own_[above + x + 1] + (sum += value);
        own_squares_[here + x + 1] = own_squares_[above + x + 1] + (sum_of_squares += value * value);
      }
    }
  }

  SharedMap<std::uint32_t> map_;  // (x, y) = sum over the box from the view's corner, or from the image's
  std::vector<std::uint32_t> own_;
  std::vector<std::uint64_t> own_squares_;
  double mean_ = 0, deviation_ = 0;
};

}  // namespace mash::heuristics
