// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mash/heuristic.hpp>
#include <numbers>
#include <vector>

#include "heuristics/common/pixels.hpp"

namespace mash::heuristics {

struct GradientVector {
  float dx, dy;
};

// Votes of Dalal & Triggs (2005): at each pixel the gradient magnitude, shared between the two bins whose
// centres are nearest to its orientation. Gradients are (-1, 0, 1) differences, not smoothed and 0 across the
// border; a colour image gives at each pixel the gradient of the plane where it is longest.
class OrientationPlanes {
 public:
  // is_signed: bins cover 0 to 360 degrees instead of 0 to 180.
  OrientationPlanes(std::uint32_t num_bins, bool is_signed)
      : num_bins_(num_bins),
        bins_per_radian_(float(num_bins) / ((is_signed ? 2 : 1) * std::numbers::pi_v<float>)),
        period_(float(num_bins) * (is_signed ? 1.f : 2.f)) {}

  void read(const View& view) {
    width_ = view.width();
    votes_.assign(std::size_t(width_) * view.height() * num_bins_, 0.f);
    const SharedMap<std::int16_t> shared =
        view.num_channels() == 1 ? view.gradient() : SharedMap<std::int16_t>();
    if (shared) {
      vote_all(view, [&](std::uint32_t x, std::uint32_t y) {
        const std::int16_t* pair = shared.row(y) + 2 * std::size_t(x);
        return GradientVector{is_inside(x, width_) ? pair[0] : 0.f,
                              is_inside(y, view.height()) ? pair[1] : 0.f};
      });
      return;
    }
    const bool is_color = view.num_channels() > 1;
    planes_[0].read(is_color ? view.red() : view.gray(), {width_, view.height()});
    if (is_color) {
      planes_[1].read(view.green(), {width_, view.height()});
      planes_[2].read(view.blue(), {width_, view.height()});
    }
    vote_all(view, [&](std::uint32_t x, std::uint32_t y) {
      GradientVector longest = gradient(planes_[0], x, y, view.height());
      for (int c = 1; is_color && c < 3; ++c) {
        const GradientVector other = gradient(planes_[c], x, y, view.height());
        if (square(other) > square(longest)) longest = other;
      }
      return longest;
    });
  }

  // num_bins() values per pixel, pixel by pixel, row by row.
  const float* row(std::uint32_t y) const { return votes_.data() + y * row_size(); }
  std::size_t row_size() const { return std::size_t(width_) * num_bins_; }
  std::uint32_t num_bins() const { return num_bins_; }
  // The orientation at the centre of a bin, radians from the x axis towards the y axis.
  float angle(std::uint32_t bin) const { return (float(bin) + 0.5f) / bins_per_radian_; }

 private:
  static float square(GradientVector v) { return v.dx * v.dx + v.dy * v.dy; }

  static bool is_inside(std::uint32_t i, std::uint32_t length) { return i > 0 && i + 1 < length; }

  template <class GradientAt>
  void vote_all(const View& view, const GradientAt& gradient_at) {
    float* votes = votes_.data();
    for (std::uint32_t y = 0; y < view.height(); ++y)
      for (std::uint32_t x = 0; x < width_; ++x, votes += num_bins_)
        if (const GradientVector v = gradient_at(x, y); square(v) > 0) vote(v, votes);
  }

  GradientVector gradient(const Pixels& plane, std::uint32_t x, std::uint32_t y, std::uint32_t height) const {
    const std::uint8_t* centre = plane.row(y) + x;
    return {is_inside(x, width_) ? float(centre[1] - centre[-1]) : 0.f,
            is_inside(y, height) ? float(centre[plane.stride()] - *(centre - plane.stride())) : 0.f};
  }

  void vote(GradientVector v, float* votes) const {
    float position = std::atan2(v.dy, v.dx) * bins_per_radian_ - 0.5f;  // bin b has its centre at b
    if (position < 0) position += period_;
    std::uint32_t bin = std::uint32_t(position);  // position >= 0
    const float share = position - float(bin);
    const float magnitude = std::sqrt(square(v));
    while (bin >= num_bins_) bin -= num_bins_;  // three times at most; a division takes longer
    votes[bin] += magnitude * (1 - share);
    votes[bin + 1 < num_bins_ ? bin + 1 : 0] += magnitude * share;
  }

  std::uint32_t num_bins_;
  float bins_per_radian_, period_;
  std::uint32_t width_ = 0;
  Pixels planes_[3];
  std::vector<float> votes_;
};

}  // namespace mash::heuristics
