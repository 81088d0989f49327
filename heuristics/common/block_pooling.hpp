// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heuristics/common/orientation_planes.hpp"
#include "heuristics/common/weighted_rows.hpp"

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
    rows_.assign(row_size * num_cells_ + kLanes, 0.f);  // so that the last pixel's lanes can be read
    for (std::uint32_t c = 0; c < num_cells_; ++c) {
      const auto [first, weights] = weights_of(c);
      add_weighted_rows(votes.row(top + first), row_size, weights, row_size, rows_.data() + c * row_size);
    }
  }

  // The block whose first column is `left`: cell (row by row), bin; block_dim values.
  void compute_block(const OrientationPlanes& votes, std::uint32_t left, float* out) const {
    const std::uint32_t num_bins = votes.num_bins();
    float* cell = out;
    for (std::uint32_t cy = 0; cy < num_cells_; ++cy)
      for (std::uint32_t cx = 0; cx < num_cells_; ++cx, cell += num_bins) {
        const float* row = rows_.data() + cy * votes.row_size() + std::size_t(left) * num_bins;
        for (std::uint32_t first = 0; first < num_bins; first += kLanes)
          pool_bins(row + first, num_bins, cx, std::min(num_bins - first, std::uint32_t(kLanes)),
                    cell + first);
      }
    normalise({out, block_dim(votes)});
  }

 private:
  static constexpr std::size_t kLanes = 16;  // bins that are added up in registers

  // The sums of `count` bins for cell cx of a row of cells, over its pixels. Reads kLanes numbers of each
  // pixel.
  void pool_bins(const float* pixels, std::size_t step, std::uint32_t cx, std::size_t count,
                 float* out) const {
    if (count <= 8) return pool_lanes<8>(pixels, step, cx, count, out);
    if (count <= 12) return pool_lanes<12>(pixels, step, cx, count, out);
    pool_lanes<kLanes>(pixels, step, cx, count, out);
  }
  template <std::size_t kWidth>
  void pool_lanes(const float* pixels, std::size_t step, std::uint32_t cx, std::size_t count,
                  float* out) const {
    float sums[kWidth] = {};
    const auto [first, weights] = weights_of(cx);
    pixels += std::size_t(first) * step;
    for (const float weight : weights) {
      for (std::size_t j = 0; j < kWidth; ++j) sums[j] += weight * pixels[j];
      pixels += step;
    }
    std::copy_n(sums, count, out);
  }

  struct CellWeights {
    std::uint32_t first;  // the pixel of the first weight
    std::span<const float> weights;
  };
  // Those above 0, which follow each other.
  CellWeights weights_of(std::uint32_t c) const {
    auto all = std::span(weights_).subspan(std::size_t(c) * side_, side_);
    std::uint32_t first = 0;
    while (first < all.size() && all[first] == 0) ++first;
    std::size_t end = all.size();
    while (end > first && all[end - 1] == 0) --end;
    return {first, all.subspan(first, end - first)};
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
