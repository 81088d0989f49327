// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heuristics/common/orientation_planes.hpp"

namespace mash::heuristics {

// Pools orientation votes over square blocks of cells and normalises each block: what HOG (Dalal & Triggs
// 2005) and SIFT (Lowe 2004) have in common. set_side, then pool_rows for each row of blocks, then
// compute_block for each block of that row.
class BlockPooling {
 public:
  // num_cells: along a side of a block. window: standard deviation of the Gaussian over a block in sides of
  // the block, 0: none. clip: of L2-Hys.
  BlockPooling(std::uint32_t num_cells, double window, float clip)
      : num_cells_(num_cells), window_(window), clip_(clip) {}

  std::uint32_t num_cells() const { return num_cells_; }
  std::uint32_t block_dim(const OrientationPlanes& votes) const {
    return num_cells_ * num_cells_ * votes.num_bins();
  }

  // Blocks are `side` pixels wide and high from now on.
  // weights_[c][i]: what pixel i of a block's side gives to cell c of that side: linear interpolation between
  // the centres of the cells, times the window. Both factors separate, so the two sides are pooled one after
  // the other.
  void set_side(std::uint32_t side) {
    side_ = side;
    const double cell = double(side) / num_cells_;
    weights_.resize(std::size_t(num_cells_) * side);
    for (std::uint32_t c = 0; c < num_cells_; ++c)
      for (std::uint32_t i = 0; i < side; ++i) {
        const double distance = std::abs((i + 0.5) / cell - 0.5 - c);
        const double from_centre = (i + 0.5 - side / 2.0) / (window_ * side);
        const double window = window_ > 0 ? std::exp(-from_centre * from_centre / 2) : 1;
        weights_[std::size_t(c) * side + i] = float(std::max(0.0, 1 - distance) * window);
      }
  }

  // Pools the rows of the blocks whose first row is `top`: rows_ = num_cells rows of row_size.
  void pool_rows(const OrientationPlanes& votes, std::uint32_t top) {
    const std::size_t row_size = votes.row_size();
    rows_.assign(row_size * num_cells_, 0.f);
    for (std::uint32_t c = 0; c < num_cells_; ++c)
      for (std::uint32_t i = 0; i < side_; ++i)
        if (const float weight = weights_[std::size_t(c) * side_ + i]; weight > 0)
          add_scaled(votes.row(top + i), weight, row_size, rows_.data() + c * row_size);
  }

  // The block whose first column is `left`: cell (row by row), bin; block_dim values.
  void compute_block(const OrientationPlanes& votes, std::uint32_t left, float* out) const {
    const std::uint32_t num_bins = votes.num_bins();
    std::fill(out, out + block_dim(votes), 0.f);
    for (std::uint32_t cy = 0; cy < num_cells_; ++cy)
      for (std::uint32_t cx = 0; cx < num_cells_; ++cx) {
        float* cell = out + std::size_t(cy * num_cells_ + cx) * num_bins;
        const float* row = rows_.data() + cy * votes.row_size() + std::size_t(left) * num_bins;
        for (std::uint32_t i = 0; i < side_; ++i)
          if (const float weight = weights_[std::size_t(cx) * side_ + i]; weight > 0)
            add_scaled(row + std::size_t(i) * num_bins, weight, num_bins, cell);
      }
    normalise({out, block_dim(votes)});
  }

 private:
  static void add_scaled(const float* from, float scale, std::size_t n, float* to) {
    for (std::size_t i = 0; i < n; ++i) to[i] += scale * from[i];
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

  std::uint32_t num_cells_;
  double window_;
  float clip_;
  std::uint32_t side_ = 0;
  std::vector<float> weights_, rows_;
};

}  // namespace mash::heuristics
