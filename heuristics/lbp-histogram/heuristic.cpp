// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <vector>

#include "heuristics/common/cell_histograms.hpp"
#include "heuristics/common/pixel_patterns.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

constexpr std::uint16_t kNumBins = 59;  // 58 uniform patterns and one bin for all others

// Uniform patterns have at most two changes between 0 and 1 around the circle (Ojala, Pietikainen & Maenpaa
// 2002); they are numbered in ascending order of their code.
constexpr std::array<std::uint16_t, 256> uniform_bins() {
  std::array<std::uint16_t, 256> bins{};
  std::uint16_t next = 0;
  for (std::uint32_t code = 0; code < 256; ++code) {
    const std::uint32_t rotated = ((code << 1) | (code >> 7)) & 255u;
    bins[code] = std::popcount(code ^ rotated) <= 2 ? next++ : std::uint16_t(kNumBins - 1);
  }
  return bins;
}

// How often each uniform local binary pattern occurs in the cells of a pyramid.
class LbpHistogram final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kOverlaps = {"no", "yes"};
  static constexpr auto parameters = std::array{
      mash::integer("radius", "distance to the eight neighbours, pixels", 1, 1, 16),
      mash::integer("levels", "levels of the pyramid: 1, 2x2, 4x4, ... cells", 3, 1, 5),
      mash::choice("overlap", "cells astride their neighbours as well", 0, kOverlaps),
  };

  explicit LbpHistogram(const mash::Parameters& parameters)
      : radius_(std::uint32_t(parameters.integer("radius"))),
        pyramid_(std::uint32_t(parameters.integer("levels")), parameters.choice("overlap") == 1) {}

  std::uint32_t dim(mash::Size) const override { return pyramid_.num_cells() * kNumBins; }

 private:
  void compute_values(const mash::View& view, std::span<float> values) override {
    static constexpr auto kBins = uniform_bins();
    const mash::Size size = {view.width(), view.height()};
    codes_.resize(std::size_t(size.width) * size.height);
    const auto uniform_bin = [](const std::uint8_t* centre, const auto& offsets) {
      return kBins[mash::heuristics::local_binary_pattern(centre, offsets)];
    };
    mash::heuristics::pixel_patterns(view, radius_, uniform_bin, pixels_, codes_.data());
    mash::heuristics::cell_histograms(pyramid_, size, codes_, kNumBins, values.data());
  }

  std::uint32_t radius_;
  mash::heuristics::CellPyramid pyramid_;
  mash::heuristics::Pixels pixels_;
  std::vector<std::uint16_t> codes_;
};

}  // namespace

MASH_HEURISTIC(LbpHistogram, "lbp-histogram", "1.0.0", "MASH",
               "histograms of uniform local binary patterns over a pyramid of cells", "Apache-2.0")
