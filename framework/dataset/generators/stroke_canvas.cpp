// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/generators/stroke_canvas.hpp"

#include <algorithm>
#include <cmath>

namespace mash {
namespace {

// The distance from a point to a segment, all in pixels.
double distance(Point p, Point from, Point to) {
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double length_squared = dx * dx + dy * dy;
  const double along = length_squared > 0 ? ((p.x - from.x) * dx + (p.y - from.y) * dy) / length_squared : 0;
  const double t = std::clamp(along, 0.0, 1.0);
  const double x = p.x - from.x - t * dx, y = p.y - from.y - t * dy;
  return std::sqrt(x * x + y * y);
}

}  // namespace

void StrokeCanvas::clear() { std::fill(coverage_.begin(), coverage_.end(), 0.0); }

void StrokeCanvas::draw(const Polyline& stroke, double thickness) {
  const double scale = double(size_);
  const auto pixels = [scale](Point p) { return Point{p.x * scale, p.y * scale}; };
  for (std::size_t i = 0; i + 1 < stroke.size(); ++i)
    draw_segment(pixels(stroke[i]), pixels(stroke[i + 1]), thickness * scale / 2);
}

void StrokeCanvas::draw_segment(Point from, Point to, double radius) {
  const double reach = radius + 1;
  const auto clip = [this](double v) { return std::size_t(std::clamp(v, 0.0, double(size_))); };
  const std::size_t left = clip(std::min(from.x, to.x) - reach),
                    right = clip(std::max(from.x, to.x) + reach + 1);
  const std::size_t top = clip(std::min(from.y, to.y) - reach),
                    bottom = clip(std::max(from.y, to.y) + reach + 1);
  for (std::size_t y = top; y < bottom; ++y)
    for (std::size_t x = left; x < right; ++x) {
      const double edge = radius + 0.5 - distance({double(x) + 0.5, double(y) + 0.5}, from, to);
      double& covered = coverage_[y * size_ + x];
      covered = std::max(covered, std::clamp(edge, 0.0, 1.0));
    }
}

}  // namespace mash
