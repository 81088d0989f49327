// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "heuristics/common/cells.hpp"
#include "heuristics/common/pixels.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

using mash::heuristics::Box;
using mash::heuristics::Pixels;

// The covariances (Tuzel, Porikli & Meer 2006) of position, brightness or colour, and derivatives over the
// pixels of each cell, from one integral image of all products. All sums are whole numbers, exact in double
// precision.
class RegionCovariance final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kOverlaps = {"no", "yes"};
  static constexpr std::array kPixels = {"gray", "rgb"};
  static constexpr std::array kNormalisations = {"covariance", "correlation"};
  static constexpr auto parameters = std::array{
      mash::integer("level", "of a pyramid: 2^level x 2^level cells", 2, 0, 3),
      mash::choice("overlap", "cells astride their neighbours as well", 1, kOverlaps),
      mash::choice("pixels", "brightness, or red, green and blue", 0, kPixels),
      mash::choice("normalise", "covariances, or standard deviations and correlations", 1, kNormalisations),
  };

  explicit RegionCovariance(const mash::Parameters& parameters)
      : grid_(std::uint32_t(parameters.integer("level")), parameters.choice("overlap") == 1),
        is_rgb_(parameters.choice("pixels") == 1),
        is_correlation_(parameters.choice("normalise") == 1),
        num_values_(is_rgb_ ? 9 : 7),
        num_pairs_(num_values_ * (num_values_ + 1) / 2 - kNumConstant),
        row_sums_(num_values_ + num_pairs_) {}

  std::uint32_t dim(mash::Size) const override { return grid_.num_cells() * num_pairs_; }

 private:
  static constexpr std::uint32_t kMaxValues = 9;
  // The first two values are x and y, whose covariances among themselves depend on the cell only.
  static constexpr std::uint32_t kNumPlace = 2, kNumConstant = 3;

  // Calls body(i, j) for the pairs of values that have a feature, j <= i, in their order.
  template <class Body>
  void for_pairs(const Body& body) const {
    for (std::uint32_t i = kNumPlace; i < num_values_; ++i)
      for (std::uint32_t j = 0; j <= i; ++j) body(i, j);
  }

  void read_values(std::uint32_t x, std::uint32_t y, double* values) const {
    *values++ = x;
    *values++ = y;
    const std::uint8_t* gray = gray_.row(y) + x;
    if (is_rgb_) {
      for (const Pixels& plane : colours_) *values++ = plane.row(y)[x];
    } else {
      *values++ = *gray;
    }
    const std::ptrdiff_t down = gray_.stride();
    *values++ = std::abs(gray[1] - gray[-1]);
    *values++ = std::abs(gray[down] - gray[-down]);
    *values++ = std::abs(gray[1] - 2 * gray[0] + gray[-1]);
    *values++ = std::abs(gray[down] - 2 * gray[0] + gray[-down]);
  }

  // table_[(y, x)] = the sums of the values and of the products of the pairs over the box from (0, 0) to
  // (x, y).
  void integrate(mash::Size size) {
    const std::size_t num_sums = row_sums_.size(), stride = (std::size_t(size.width) + 1) * num_sums;
    table_.assign(stride * (std::size_t(size.height) + 1), 0.0);
    double values[kMaxValues];
    for (std::uint32_t y = 0; y < size.height; ++y) {
      std::fill(row_sums_.begin(), row_sums_.end(), 0.0);
      double* here = table_.data() + (y + 1) * stride;
      for (std::uint32_t x = 0; x < size.width; ++x) {
        here += num_sums;
        read_values(x, y, values);
        double* sum = row_sums_.data();
        for (std::uint32_t i = 0; i < num_values_; ++i) *sum++ += values[i];
        for_pairs([&](std::uint32_t i, std::uint32_t j) { *sum++ += values[i] * values[j]; });
        const double* above = here - stride;
        for (std::size_t k = 0; k < num_sums; ++k) here[k] = above[k] + row_sums_[k];
      }
    }
  }

  // row_sums_ = the sums over the cell.
  void sum_cell(const Box& cell, std::uint32_t width) {
    const std::size_t num_sums = row_sums_.size();
    const auto corner = [&](std::uint32_t x, std::uint32_t y) {
      return table_.data() + (std::size_t(y) * (std::size_t(width) + 1) + x) * num_sums;
    };
    const double *a = corner(cell.left, cell.top), *b = corner(cell.right, cell.top),
                 *c = corner(cell.left, cell.bottom), *d = corner(cell.right, cell.bottom);
    for (std::size_t k = 0; k < num_sums; ++k) row_sums_[k] = d[k] - b[k] - c[k] + a[k];
  }

  // The variance of 0 .. n - 1.
  static double variance_of_place(std::uint32_t n) { return (double(n) * n - 1) / 12; }

  void write_cell(const Box& cell, float* out) const {
    const double n = double(cell.right - cell.left) * (cell.bottom - cell.top);
    const double* products = row_sums_.data() + num_values_;
    double covariances[kMaxValues][kMaxValues];
    for_pairs([&](std::uint32_t i, std::uint32_t j) {
      covariances[i][j] = n > 0 ? (n * *products - row_sums_[i] * row_sums_[j]) / (n * n) : 0;
      ++products;
    });
    covariances[0][0] = variance_of_place(cell.right - cell.left);
    covariances[1][1] = variance_of_place(cell.bottom - cell.top);
    for_pairs([&](std::uint32_t i, std::uint32_t j) {
      const double covariance = covariances[i][j];
      const double scale = std::sqrt(covariances[i][i] * covariances[j][j]);
      if (!is_correlation_)
        *out++ = float(covariance);
      else if (i == j)
        *out++ = float(std::sqrt(covariance));
      else
        *out++ = scale > 0 ? float(covariance / scale) : 0.f;
    });
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    const mash::Size size = {view.width(), view.height()};
    gray_.read(view.gray(), size, 1);
    if (is_rgb_) {
      colours_[0].read(view.red(), size);
      colours_[1].read(view.green(), size);
      colours_[2].read(view.blue(), size);
    }
    integrate(size);
    float* out = values.data();
    grid_.for_cells(size, [&](const Box& cell) {
      sum_cell(cell, size.width);
      write_cell(cell, out);
      out += num_pairs_;
    });
  }

  mash::heuristics::CellGrid grid_;
  bool is_rgb_, is_correlation_;
  std::uint32_t num_values_, num_pairs_;
  Pixels gray_;
  std::array<Pixels, 3> colours_;
  std::vector<double> table_, row_sums_;
};

}  // namespace

MASH_HEURISTIC(RegionCovariance, "region-covariance", "1.0.0", "MASH",
               "covariances of brightness, derivatives and position over cells", "Apache-2.0")
