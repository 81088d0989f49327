// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "heuristics/common/cell_histograms.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

enum class Space : std::size_t { kRgb, kOpponent, kJointRgb };

// How often each range of colours occurs in the cells of a pyramid: three histograms of one colour axis each,
// or one histogram over the cube of red, green and blue.
class ColorHistogram final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kSpaces = {"rgb", "opponent", "joint-rgb"};
  static constexpr std::array kOverlaps = {"no", "yes"};
  static constexpr auto parameters = std::array{
      mash::choice("space", "the colour axes", 1, kSpaces),
      mash::integer("bins", "number of equal ranges of each axis", 12, 2, 16),
      mash::integer("levels", "levels of the pyramid: 1, 2x2, 4x4, ... cells", 3, 1, 5),
      mash::choice("overlap", "cells astride their neighbours as well", 0, kOverlaps),
  };

  explicit ColorHistogram(const mash::Parameters& parameters)
      : space_(Space(parameters.choice("space"))),
        num_bins_(std::uint32_t(parameters.integer("bins"))),
        pyramid_(std::uint32_t(parameters.integer("levels")), parameters.choice("overlap") == 1) {}

  std::uint32_t dim(mash::Size) const override {
    return pyramid_.num_cells() * num_histograms() * num_codes();
  }

 private:
  std::uint32_t num_histograms() const { return space_ == Space::kJointRgb ? 1 : 3; }
  std::uint32_t num_codes() const {
    return space_ == Space::kJointRgb ? num_bins_ * num_bins_ * num_bins_ : num_bins_;
  }

  // value in [0, range).
  std::uint32_t bin(int value, int range) const {
    return std::uint32_t(value) * num_bins_ / std::uint32_t(range);
  }

  std::uint32_t code(int red, int green, int blue, std::uint32_t histogram) const {
    switch (space_) {
      case Space::kRgb: return bin(histogram == 0 ? red : histogram == 1 ? green : blue, 256);
      case Space::kOpponent:
        // The opponent axes of van de Sande, Gevers & Snoek (2010), shifted to start at 0 and not scaled.
        if (histogram == 0) return bin(red - green + 255, 511);
        if (histogram == 1) return bin(red + green - 2 * blue + 510, 1021);
        return bin(red + green + blue, 766);
      case Space::kJointRgb: break;
    }
    return (bin(red, 256) * num_bins_ + bin(green, 256)) * num_bins_ + bin(blue, 256);
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    const mash::Size size = {view.width(), view.height()};
    codes_.resize(std::size_t(size.width) * size.height);
    const std::size_t histogram_dim = values.size() / num_histograms();
    for (std::uint32_t histogram = 0; histogram < num_histograms(); ++histogram) {
      std::uint16_t* out = codes_.data();
      for (std::uint32_t y = 0; y < size.height; ++y)
        for (std::uint32_t x = 0; x < size.width; ++x)
          *out++ = std::uint16_t(code(view.red()(x, y), view.green()(x, y), view.blue()(x, y), histogram));
      mash::heuristics::cell_histograms(pyramid_, size, codes_, num_codes(),
                                        values.data() + histogram * histogram_dim);
    }
  }

  Space space_;
  std::uint32_t num_bins_;
  mash::heuristics::CellPyramid pyramid_;
  std::vector<std::uint16_t> codes_;
};

}  // namespace

MASH_HEURISTIC(ColorHistogram, "color-histogram", "1.0.0", "MASH",
               "colour histograms over a pyramid of cells", "Apache-2.0")
