// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "framework/dataset/generators/digit_fonts.hpp"

namespace mash {

// A square of pixels that pen strokes cover, from 0 (not) to 1 (fully), with smooth edges one pixel wide. Own
// arithmetic rather than a drawing library's, so that the pictures are the same everywhere and for ever.
class StrokeCanvas {
 public:
  explicit StrokeCanvas(std::size_t size) : size_(size), coverage_(size * size) {}

  void clear();
  // A stroke with round ends; points and thickness in parts of the canvas's side, (0, 0) at the top left.
  void draw(const Polyline& stroke, double thickness);

  double coverage(std::size_t x, std::size_t y) const { return coverage_[y * size_ + x]; }

 private:
  void draw_segment(Point from, Point to, double radius);

  std::size_t size_;
  std::vector<double> coverage_;
};

}  // namespace mash
