// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <mash/heuristic.hpp>
#include <span>
#include <vector>

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
        window_(parameters.real("window")),
        clip_(float(parameters.real("clip"))),
        votes_(std::uint32_t(parameters.integer("bins")), is_signed) {}

  std::uint32_t dim(Size size) const final {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < num_levels(size); ++i) {
      const Level level = make_level(size, i);
      sum += level.num_blocks_x * level.num_blocks_y * block_dim();
    }
    return sum;
  }

 private:
  struct Level {
    std::uint32_t cell, stride;  // pixels
    std::uint32_t left, top;     // of the first block: the grid of blocks is centred
    std::uint32_t num_blocks_x, num_blocks_y;
  };

  std::uint32_t block_dim() const { return block_ * block_ * votes_.num_bins(); }

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

  // weights[c][i]: what pixel i of a block's side gives to cell c of that side: linear interpolation between
  // the centres of the cells, times a Gaussian window of standard deviation window_ * (side of the block).
  // Both factors separate, so the two sides are pooled one after the other.
  void make_weights(std::uint32_t cell) {
    const std::uint32_t side = cell * block_;
    weights_.resize(std::size_t(block_) * side);
    for (std::uint32_t c = 0; c < block_; ++c)
      for (std::uint32_t i = 0; i < side; ++i) {
        const double distance = std::abs((i + 0.5) / cell - 0.5 - c);
        const double from_centre = (i + 0.5 - side / 2.0) / (window_ * side);
        const double window = window_ > 0 ? std::exp(-from_centre * from_centre / 2) : 1;
        weights_[std::size_t(c) * side + i] = float(std::max(0.0, 1 - distance) * window);
      }
  }

  static void add_scaled(const float* from, float scale, std::size_t n, float* to) {
    for (std::size_t i = 0; i < n; ++i) to[i] += scale * from[i];
  }

  // Pools the rows of the blocks of row `block_y` into its cells: rows_ = block_ rows of width * num_bins.
  void pool_rows(const Level& level, std::uint32_t block_y, std::size_t row_size) {
    const std::uint32_t side = level.cell * block_, top = level.top + block_y * level.stride;
    rows_.assign(row_size * block_, 0.f);
    for (std::uint32_t c = 0; c < block_; ++c)
      for (std::uint32_t i = 0; i < side; ++i)
        if (const float weight = weights_[std::size_t(c) * side + i]; weight > 0)
          add_scaled(votes_.row(top + i), weight, row_size, rows_.data() + c * row_size);
  }

  void compute_block(const Level& level, std::uint32_t block_x, std::size_t row_size, float* out) const {
    const std::uint32_t side = level.cell * block_, num_bins = votes_.num_bins();
    const std::size_t left = level.left + std::size_t(block_x) * level.stride;
    std::fill(out, out + block_dim(), 0.f);
    for (std::uint32_t cy = 0; cy < block_; ++cy)
      for (std::uint32_t cx = 0; cx < block_; ++cx) {
        float* cell = out + std::size_t(cy * block_ + cx) * num_bins;
        const float* row = rows_.data() + cy * row_size + left * num_bins;
        for (std::uint32_t i = 0; i < side; ++i)
          if (const float weight = weights_[std::size_t(cx) * side + i]; weight > 0)
            add_scaled(row + std::size_t(i) * num_bins, weight, num_bins, cell);
      }
    normalise({out, block_dim()});
  }

  // L2-Hys: to unit length, clipped, to unit length again. The regularisation keeps flat blocks at 0.
  void normalise(std::span<float> block) const {
    const auto squares = [&] {
      float sum = 0;
      for (const float value : block) sum += value * value;
      return sum;
    };
    const float scale = 1 / (std::sqrt(squares()) + 0.1f * float(block.size()));
    for (float& value : block) value = std::min(value * scale, clip_);
    const float scale_again = 1 / (std::sqrt(squares()) + 1e-3f);
    for (float& value : block) value *= scale_again;
  }

  void compute_values(const View& view, std::span<float> values) final {
    const Size size = {view.width(), view.height()};
    const std::size_t row_size = std::size_t(size.width) * votes_.num_bins();
    votes_.read(view);
    float* out = values.data();
    for (std::uint32_t i = 0; i < num_levels(size); ++i) {
      const Level level = make_level(size, i);
      make_weights(level.cell);
      for (std::uint32_t y = 0; y < level.num_blocks_y; ++y) {
        pool_rows(level, y, row_size);
        for (std::uint32_t x = 0; x < level.num_blocks_x; ++x, out += block_dim())
          compute_block(level, x, row_size, out);
      }
    }
  }

  std::uint32_t cell_, block_;
  double stride_;
  std::uint32_t num_levels_;
  double growth_, window_;
  float clip_;
  OrientationPlanes votes_;
  std::vector<float> weights_, rows_;
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
