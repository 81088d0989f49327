// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mash/heuristic.hpp>
#include <span>

#include "heuristics/common/block_pooling.hpp"
#include "heuristics/common/orientation_planes.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace mash::heuristics {

// Histograms of oriented gradients (Dalal & Triggs 2005) at several cell sizes: cell, cell * growth, ... as
// long as a block fits into the view. Feature order: level, block (row by row), cell (row by row), bin.
class Hog : public WholeHeuristic {
 public:
  static constexpr std::uint32_t kMaxLevels = 8;

  Hog(const Parameters& parameters, bool is_signed)
      : cell_(std::uint32_t(parameters.integer("cell"))),
        block_(std::uint32_t(parameters.integer("block"))),
        stride_(parameters.real("stride")),
        num_levels_(std::uint32_t(parameters.integer("levels"))),
        growth_(parameters.real("growth")),
        pooling_(block_, parameters.real("window"), float(parameters.real("clip"))),
        votes_(std::uint32_t(parameters.integer("bins")), is_signed) {}

  std::uint32_t dim(Size size) const final {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < num_levels(size); ++i) {
      const Level level = make_level(size, i);
      sum += std::uint64_t(level.num_blocks_x) * level.num_blocks_y * pooling_.block_dim(votes_);
    }
    if (sum > std::numeric_limits<std::uint32_t>::max())
      throw Unsupported("the view has room for 2^32 features or more");
    return std::uint32_t(sum);
  }

 private:
  struct Level {
    std::uint32_t cell, stride;  // pixels
    std::uint32_t left, top;     // of the first block: the grid of blocks is centred
    std::uint32_t num_blocks_x, num_blocks_y;
  };

  // The first level always exists: its cells shrink until a block fits.
  std::uint32_t cell_size(Size size, std::uint32_t level) const {
    const std::uint32_t largest = std::min(size.width, size.height) / block_;
    if (largest == 0) throw Unsupported("the view is smaller than one block of cells");
    const std::uint32_t wanted = std::uint32_t(std::lround(cell_ * std::pow(growth_, level)));
    return level == 0 ? std::min(wanted, largest) : wanted;
  }

  std::uint32_t num_levels(Size size) const {
    std::uint32_t n = 1;
    cell_size(size, 0);
    while (n < num_levels_ && cell_size(size, n) * block_ <= std::min(size.width, size.height)) ++n;
    return n;
  }

  Level make_level(Size size, std::uint32_t index) const {
    Level level;
    level.cell = cell_size(size, index);
    level.stride = std::max(1u, std::uint32_t(std::lround(level.cell * stride_)));
    const std::uint32_t spare_x = size.width - level.cell * block_,
                        spare_y = size.height - level.cell * block_;
    level.left = spare_x % level.stride / 2;
    level.top = spare_y % level.stride / 2;
    level.num_blocks_x = spare_x / level.stride + 1;
    level.num_blocks_y = spare_y / level.stride + 1;
    return level;
  }

  void compute_values(const View& view, std::span<float> values) final {
    const Size size = {view.width(), view.height()};
    votes_.read(view);
    float* out = values.data();
    for (std::uint32_t i = 0; i < num_levels(size); ++i) {
      const Level level = make_level(size, i);
      pooling_.set_side(level.cell * block_);
      for (std::uint32_t y = 0; y < level.num_blocks_y; ++y) {
        pooling_.pool_rows(votes_, level.top + y * level.stride);
        for (std::uint32_t x = 0; x < level.num_blocks_x; ++x, out += pooling_.block_dim(votes_))
          pooling_.compute_block(votes_, level.left + x * level.stride, out);
      }
    }
  }

  std::uint32_t cell_, block_;
  double stride_;
  std::uint32_t num_levels_;
  double growth_;
  BlockPooling pooling_;
  OrientationPlanes votes_;
};

// The settings of both histograms of gradients; what differs is the default number of bins.
constexpr auto hog_parameters(long long default_bins) {
  return std::array{
      integer("cell", "side of the smallest cells, pixels", 6, 1, 64),
      integer("block", "side of a block, cells", 2, 1, 8),
      integer("bins", "number of orientations", default_bins, 2, 64),
      real("stride", "step between blocks, in sides of a cell", 0.5, 0.125, 8),
      integer("levels", "number of cell sizes", 4, 1, Hog::kMaxLevels),
      real("growth", "ratio between one cell size and the next", 1.3, 1.125, 4),
      real("window", "standard deviation of the Gaussian over a block, in sides of the block; 0: none", 0.25,
           0, 4),
      real("clip", "largest normalised value before the second normalisation", 0.2, 0.01, 1),
  };
}

}  // namespace mash::heuristics
