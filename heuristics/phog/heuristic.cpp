// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "heuristics/common/cells.hpp"
#include "heuristics/common/orientation_planes.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

using mash::heuristics::Box;

// One level of a pyramid of orientation histograms (Bosch, Zisserman & Munoz 2007): the votes of a cell's
// pixels summed up, without blocks, interpolation or windows, and the whole level normalised.
class Phog final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kOrientations = {"unsigned", "signed"};
  static constexpr std::array kNorms = {"l1", "l2"};
  static constexpr auto parameters = std::array{
      mash::integer("level", "of the pyramid: 2^level x 2^level cells", 2, 0, 3),
      mash::integer("bins", "number of orientations", 20, 2, 64),
      mash::choice("orientation", "of 0 to 180 or of 0 to 360 degrees", 1, kOrientations),
      mash::choice("norm", "what is 1 for the features of a view together", 1, kNorms),
  };

  explicit Phog(const mash::Parameters& parameters)
      : grid_(std::uint32_t(parameters.integer("level")), false),
        votes_(std::uint32_t(parameters.integer("bins")), parameters.choice("orientation") == 1),
        is_l2_(parameters.choice("norm") == 1) {}

  std::uint32_t dim(mash::Size) const override { return grid_.num_cells() * votes_.num_bins(); }

 private:
  void compute_values(const mash::View& view, std::span<float> values) override {
    votes_.read(view);
    std::fill(values.begin(), values.end(), 0.f);
    const std::uint32_t num_bins = votes_.num_bins();
    float* out = values.data();
    grid_.for_cells({view.width(), view.height()}, [&](const Box& cell) {
      for (std::uint32_t y = cell.top; y < cell.bottom; ++y)
        for (std::uint32_t x = cell.left; x < cell.right; ++x) {
          const float* votes = votes_.row(y) + std::size_t(x) * num_bins;
          for (std::uint32_t bin = 0; bin < num_bins; ++bin) out[bin] += votes[bin];
        }
      out += num_bins;
    });
    normalise(values);
  }

  void normalise(std::span<float> values) const {
    float sum = 0;
    for (const float value : values) sum += is_l2_ ? value * value : value;
    const float length = is_l2_ ? std::sqrt(sum) : sum;
    // One grey level keeps flat views at 0.
    for (float& value : values) value /= length + 1;
  }

  mash::heuristics::CellGrid grid_;
  mash::heuristics::OrientationPlanes votes_;
  bool is_l2_;
};

}  // namespace

MASH_HEURISTIC(Phog, "phog", "1.0.0", "MASH", "one level of a pyramid of orientation histograms",
               "Apache-2.0")
