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

// The integral image of the grey plane (Viola & Jones 2001): the sum over any box from four look-ups.
// Sums are exact modulo 2^32, hence exact for boxes of up to 2^24 pixels.
class IntegralImage {
 public:
  void read(const View& view) {
    width_ = view.width();
    height_ = view.height();
    table_.assign((std::size_t(width_) + 1) * (std::size_t(height_) + 1), 0);
    std::uint64_t sum = 0, sum_squares = 0;
    for (std::uint32_t y = 0; y < height_; ++y) {
      const std::uint32_t* above = table_.data() + index(0, y);
      std::uint32_t* here = table_.data() + index(0, y + 1);
      std::uint32_t row_sum = 0;
      for (std::uint32_t x = 0; x < width_; ++x) {
        const std::uint32_t value = view.gray()(x, y);
        row_sum += value;
        sum_squares += value * value;
        here[x + 1] = above[x + 1] + row_sum;
      }
      sum += row_sum;
    }
    const double num_pixels = double(width_) * height_;
    mean_ = double(sum) / num_pixels;
    deviation_ = std::sqrt(std::max(0.0, double(sum_squares) / num_pixels - mean_ * mean_));
  }

  std::uint32_t sum(const Box& box) const {
    return table_[index(box.right, box.bottom)] - table_[index(box.left, box.bottom)] -
           table_[index(box.right, box.top)] + table_[index(box.left, box.top)];
  }

  double mean() const { return mean_; }            // of the view's grey values
  double deviation() const { return deviation_; }  // their standard deviation

 private:
  std::size_t index(std::uint32_t x, std::uint32_t y) const {
    return std::size_t(y) * (std::size_t(width_) + 1) + x;
  }

  std::vector<std::uint32_t> table_;  // [y][x] = sum over the box from (0, 0) to (x, y)
  std::uint32_t width_ = 0, height_ = 0;
  double mean_ = 0, deviation_ = 0;
};

}  // namespace mash::heuristics
