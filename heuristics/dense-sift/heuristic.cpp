// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "heuristics/common/block_pooling.hpp"
#include "heuristics/common/orientation_planes.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

// SIFT descriptors (Lowe 2004) of upright square patches on a regular grid: 4 x 4 cells of 8 orientations.
// The patches' side is the view's shorter one, halved `level` times, and each overlaps the next by half.
class DenseSift final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr auto parameters = std::array{
      mash::integer("level", "patches have the shorter side / 2^level", 1, 0, 3),
      mash::integer("cells", "along a side of a patch", 4, 1, 8),
      mash::integer("bins", "number of orientations", 8, 2, 32),
      mash::real("clip", "largest normalised value before the second normalisation", 0.2, 0.01, 1),
  };

  explicit DenseSift(const mash::Parameters& parameters)
      : level_(std::uint32_t(parameters.integer("level"))),
        pooling_(std::uint32_t(parameters.integer("cells")), kWindow, float(parameters.real("clip"))),
        votes_(std::uint32_t(parameters.integer("bins")), true) {}

  std::uint32_t dim(mash::Size size) const override {
    const Patches patches = make_patches(size);
    return patches.num_x * patches.num_y * pooling_.block_dim(votes_);
  }

 private:
  static constexpr double kWindow = 0.5;  // Lowe's: half the side of the patch

  struct Patches {
    std::uint32_t side, step;  // pixels
    std::uint32_t left, top;   // of the first patch: the grid is centred
    std::uint32_t num_x, num_y;
  };

  Patches make_patches(mash::Size size) const {
    Patches patches;
    patches.side = std::max(1u, std::min(size.width, size.height) >> level_);
    patches.step = std::max(1u, patches.side / 2);
    const std::uint32_t spare_x = size.width - patches.side, spare_y = size.height - patches.side;
    patches.left = spare_x % patches.step / 2;
    patches.top = spare_y % patches.step / 2;
    patches.num_x = spare_x / patches.step + 1;
    patches.num_y = spare_y / patches.step + 1;
    return patches;
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    const Patches patches = make_patches({view.width(), view.height()});
    votes_.read(view);
    pooling_.set_side(patches.side);
    float* out = values.data();
    for (std::uint32_t y = 0; y < patches.num_y; ++y) {
      pooling_.pool_rows(votes_, patches.top + y * patches.step);
      for (std::uint32_t x = 0; x < patches.num_x; ++x, out += pooling_.block_dim(votes_))
        pooling_.compute_block(votes_, patches.left + x * patches.step, out);
    }
  }

  std::uint32_t level_;
  mash::heuristics::BlockPooling pooling_;
  mash::heuristics::OrientationPlanes votes_;
};

}  // namespace

MASH_HEURISTIC(DenseSift, "dense-sift", "1.0.0", "MASH", "SIFT descriptors on a regular grid", "Apache-2.0")
