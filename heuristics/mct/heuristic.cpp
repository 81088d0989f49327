// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "heuristics/common/cell_histograms.hpp"
#include "heuristics/common/pixel_patterns.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

using mash::heuristics::Box;

constexpr std::uint32_t kNumBits = 9;
constexpr std::size_t kNumCodes = 511;  // not all nine pixels can be above their mean

// The modified census transform (Froba & Ernst 2004) over the cells of a grid: how often each of its bits is
// set, or how often each code occurs.
class Mct final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kOutputs = {"bits", "codes"};
  static constexpr std::array kOverlaps = {"no", "yes"};
  static constexpr auto parameters = std::array{
      mash::integer("level", "of a pyramid: 2^level x 2^level cells", 3, 0, 4),
      mash::choice("overlap", "cells astride their neighbours as well", 0, kOverlaps),
      mash::choice("output", "what is counted: nine bits, or 511 codes", 0, kOutputs),
      mash::integer("radius", "distance to the eight neighbours, pixels", 1, 1, 16),
  };

  explicit Mct(const mash::Parameters& parameters)
      : grid_(std::uint32_t(parameters.integer("level")), parameters.choice("overlap") == 1),
        counts_codes_(parameters.choice("output") == 1),
        radius_(std::uint32_t(parameters.integer("radius"))) {}

  std::uint32_t dim(mash::Size) const override {
    return grid_.num_cells() * (counts_codes_ ? std::uint32_t(kNumCodes) : kNumBits);
  }

 private:
  // out[cell * 9 + bit] = the fraction of the cell's pixels whose code has the bit.
  void count_bits(mash::Size size, float* out) const {
    grid_.for_cells(size, [&](const Box& cell) {
      std::array<std::uint32_t, kNumBits> counts{};
      for (std::uint32_t y = cell.top; y < cell.bottom; ++y)
        for (std::uint32_t x = cell.left; x < cell.right; ++x)
          for (std::uint32_t bit = 0; bit < kNumBits; ++bit)
            counts[bit] += codes_[std::size_t(y) * size.width + x] >> bit & 1u;
      const float area = float(cell.right - cell.left) * float(cell.bottom - cell.top);
      for (const std::uint32_t count : counts) *out++ = float(count) / std::max(area, 1.f);
    });
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    const mash::Size size = {view.width(), view.height()};
    codes_.resize(std::size_t(size.width) * size.height);
    mash::heuristics::pixel_patterns(view, radius_, mash::heuristics::mean_pattern<true>, pixels_,
                                     codes_.data());
    if (counts_codes_)
      mash::heuristics::cell_histograms(grid_, size, codes_, kNumCodes, values.data());
    else
      count_bits(size, values.data());
  }

  mash::heuristics::CellGrid grid_;
  bool counts_codes_;
  std::uint32_t radius_;
  mash::heuristics::Pixels pixels_;
  std::vector<std::uint16_t> codes_;
};

}  // namespace

MASH_HEURISTIC(Mct, "mct", "1.0.0", "MASH", "modified census transform over a grid of cells", "Apache-2.0")
