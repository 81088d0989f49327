// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "heuristics/common/orientation_planes.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

// The Hough transform for straight lines (Duda & Hart 1972) where each pixel votes only for the line across
// its gradient (O'Gorman & Clowes 1976), with the gradient's length.
class Hough final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kOrientations = {"unsigned", "signed"};
  static constexpr auto parameters = std::array{
      mash::integer("angles", "number of directions of the normal", 24, 2, 64),
      mash::integer("distances", "number of distances from the centre for each of them", 24, 2, 128),
      mash::choice("orientation", "normals of 0 to 180, or of 0 to 360 degrees: towards the bright side", 1,
                   kOrientations),
  };

  explicit Hough(const mash::Parameters& parameters)
      : num_distances_(std::uint32_t(parameters.integer("distances"))),
        votes_(std::uint32_t(parameters.integer("angles")), parameters.choice("orientation") == 1) {}

  std::uint32_t dim(mash::Size) const override { return votes_.num_bins() * num_distances_; }

 private:
  // The position of a pixel among the distances of one direction: start + x * along_x + y * along_y.
  struct Axis {
    float start, along_x, along_y;
  };

  // The view's extent along each direction is what its distances cover.
  void set_size(mash::Size size) {
    size_ = size;
    axes_.resize(votes_.num_bins());
    const float last_x = float(size.width - 1), last_y = float(size.height - 1);
    const float last = float(num_distances_ - 1);
    for (std::uint32_t bin = 0; bin < votes_.num_bins(); ++bin) {
      const float along_x = std::cos(votes_.angle(bin)), along_y = std::sin(votes_.angle(bin));
      const float extent = std::abs(along_x) * last_x + std::abs(along_y) * last_y;
      const float scale = extent > 0 ? last / extent : 0;
      axes_[bin] = {last / 2 - scale * (along_x * last_x + along_y * last_y) / 2, scale * along_x,
                    scale * along_y};
    }
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    if (size_.width != view.width() || size_.height != view.height()) set_size({view.width(), view.height()});
    votes_.read(view);
    std::fill(values.begin(), values.end(), 0.f);
    const std::uint32_t num_bins = votes_.num_bins();
    for (std::uint32_t y = 0; y < view.height(); ++y) {
      const float* votes = votes_.row(y);
      for (std::uint32_t x = 0; x < view.width(); ++x, votes += num_bins)
        for (std::uint32_t bin = 0; bin < num_bins; ++bin)
          if (votes[bin] > 0) vote(bin, float(x), float(y), votes[bin], values.data());
    }
  }

  // Shared by the two nearest distances.
  void vote(std::uint32_t bin, float x, float y, float weight, float* values) const {
    const Axis& axis = axes_[bin];
    const float position =
        std::clamp(axis.start + x * axis.along_x + y * axis.along_y, 0.f, float(num_distances_ - 1));
    const std::uint32_t lower = std::min(std::uint32_t(position), num_distances_ - 2);
    const float share = position - float(lower);
    float* cell = values + std::size_t(bin) * num_distances_ + lower;
    cell[0] += weight * (1 - share);
    cell[1] += weight * share;
  }

  std::uint32_t num_distances_;
  mash::Size size_{0, 0};
  mash::heuristics::OrientationPlanes votes_;
  std::vector<Axis> axes_;  // by bin
};

}  // namespace

MASH_HEURISTIC(Hough, "hough", "1.0.0", "MASH", "Hough transform for straight edges", "Apache-2.0")
