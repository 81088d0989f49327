// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "heuristics/common/cells.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

using mash::heuristics::Box;

constexpr std::uint32_t kNumAxes = 3, kNumMoments = 3;

// Mean, standard deviation and skewness (Stricker & Orengo 1995) of each colour axis in each cell.
class ColorMoments final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kSpaces = {"rgb", "opponent"};
  static constexpr std::array kOverlaps = {"no", "yes"};
  static constexpr auto parameters = std::array{
      mash::choice("space", "the colour axes", 1, kSpaces),
      mash::integer("level", "of a pyramid: 2^level x 2^level cells", 3, 0, 4),
      mash::choice("overlap", "cells astride their neighbours as well", 0, kOverlaps),
  };

  explicit ColorMoments(const mash::Parameters& parameters)
      : is_opponent_(parameters.choice("space") == 1),
        grid_(std::uint32_t(parameters.integer("level")), parameters.choice("overlap") == 1) {}

  std::uint32_t dim(mash::Size) const override { return grid_.num_cells() * kNumAxes * kNumMoments; }

 private:
  struct Colour {
    std::array<float, kNumAxes> axes;
  };

  void read(const mash::View& view) {
    colours_.resize(std::size_t(view.width()) * view.height());
    Colour* out = colours_.data();
    for (std::uint32_t y = 0; y < view.height(); ++y)
      for (std::uint32_t x = 0; x < view.width(); ++x) {
        const float red = view.red()(x, y), green = view.green()(x, y), blue = view.blue()(x, y);
        if (is_opponent_)
          *out++ = {{red - green, red + green - 2 * blue, red + green + blue}};
        else
          *out++ = {{red, green, blue}};
      }
  }

  // Calls body(colour) for each pixel of the cell.
  template <class Body>
  void for_pixels(const Box& cell, std::uint32_t width, const Body& body) const {
    for (std::uint32_t y = cell.top; y < cell.bottom; ++y)
      for (std::uint32_t x = cell.left; x < cell.right; ++x) body(colours_[std::size_t(y) * width + x]);
  }

  void write_cell(const Box& cell, std::uint32_t width, float* out) const {
    const double n = std::max(double(cell.right - cell.left) * (cell.bottom - cell.top), 1.0);
    std::array<double, kNumAxes> mean{}, second{}, third{};
    for_pixels(cell, width, [&](const Colour& colour) {
      for (std::uint32_t a = 0; a < kNumAxes; ++a) mean[a] += colour.axes[a];
    });
    for (double& value : mean) value /= n;
    for_pixels(cell, width, [&](const Colour& colour) {
      for (std::uint32_t a = 0; a < kNumAxes; ++a) {
        const double from_mean = colour.axes[a] - mean[a];
        second[a] += from_mean * from_mean;
        third[a] += from_mean * from_mean * from_mean;
      }
    });
    for (std::uint32_t a = 0; a < kNumAxes; ++a) {
      *out++ = float(mean[a]);
      *out++ = float(std::sqrt(second[a] / n));
      *out++ = float(std::cbrt(third[a] / n));
    }
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    read(view);
    float* out = values.data();
    grid_.for_cells({view.width(), view.height()}, [&](const Box& cell) {
      write_cell(cell, view.width(), out);
      out += std::size_t(kNumAxes) * kNumMoments;
    });
  }

  bool is_opponent_;
  mash::heuristics::CellGrid grid_;
  std::vector<Colour> colours_;
};

}  // namespace

MASH_HEURISTIC(ColorMoments, "color-moments", "1.0.0", "MASH",
               "mean, deviation and skewness of colours over cells", "Apache-2.0")
