// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "heuristics/common/cell_histograms.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

// How often each range of grey values occurs in the cells of a pyramid.
class GrayHistogram final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kOverlaps = {"no", "yes"};
  static constexpr auto parameters = std::array{
      mash::integer("bins", "number of equal ranges of grey values", 8, 2, 256),
      mash::integer("levels", "levels of the pyramid: 1, 2x2, 4x4, ... cells", 3, 1, 5),
      mash::choice("overlap", "cells astride their neighbours as well", 1, kOverlaps),
  };

  explicit GrayHistogram(const mash::Parameters& parameters)
      : num_bins_(std::uint32_t(parameters.integer("bins"))),
        pyramid_(std::uint32_t(parameters.integer("levels")), parameters.choice("overlap") == 1) {}

  std::uint32_t dim(mash::Size) const override { return pyramid_.num_cells() * num_bins_; }

 private:
  void compute_values(const mash::View& view, std::span<float> values) override {
    const mash::Size size = {view.width(), view.height()};
    codes_.resize(std::size_t(size.width) * size.height);
    std::uint16_t* code = codes_.data();
    for (std::uint32_t y = 0; y < size.height; ++y)
      for (std::uint32_t x = 0; x < size.width; ++x)
        *code++ = std::uint16_t(view.gray()(x, y) * num_bins_ / 256);
    mash::heuristics::cell_histograms(pyramid_, size, codes_, num_bins_, values.data());
  }

  std::uint32_t num_bins_;
  mash::heuristics::CellPyramid pyramid_;
  std::vector<std::uint16_t> codes_;
};

}  // namespace

MASH_HEURISTIC(GrayHistogram, "gray-histogram", "1.0.0", "MASH",
               "grey-value histograms over a pyramid of cells", "Apache-2.0")
