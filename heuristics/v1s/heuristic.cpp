// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "heuristics/common/pixels.hpp"
#include "heuristics/common/weighted_rows.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

using mash::heuristics::add_weighted_rows;

// A Gabor filter's row and column factors: a Gaussian times cos and times sin. Of 2 radius + 1 taps.
struct Factors {
  std::vector<float> cosine, sine;
};

// The filters of one orientation and of its mirror image, which share all convolutions.
struct MirrorPair {
  Factors row, column;
  bool has_mirror;
};

struct Scale {
  std::uint32_t radius;
  std::vector<MirrorPair> pairs;  // of orientations 0 to 90 degrees
};

Factors make_factors(double frequency, double sigma, std::uint32_t radius) {
  Factors factors;
  double sum_squares = 0;
  for (int i = -int(radius); i <= int(radius); ++i) {
    const double gaussian = std::exp(-i * i / (2 * sigma * sigma));
    sum_squares += gaussian * gaussian;
    factors.cosine.push_back(float(gaussian * std::cos(frequency * i)));
    factors.sine.push_back(float(gaussian * std::sin(frequency * i)));
  }
  // The mean of cos^2 is 1/2: each of the two directions gets the fourth root of 2.
  const float scale = float(std::pow(2, 0.25) / std::sqrt(sum_squares));
  for (auto* values : {&factors.cosine, &factors.sine})
    for (float& value : *values) value *= scale;
  return factors;
}

constexpr std::size_t kBlock = 32;  // values: planes are a multiple of it, for whole vectors

// response = even + sign * odd, held between 0 and 1; energy += its square.
// Loops of their own: each comparison becomes a vector instruction then, and both together a branch.
MASH_WIDE_VECTORS void rectify_row(const float* even, const float* odd, float sign, std::size_t n,
                                   float* response, float* energy) {
  for (std::size_t x = 0; x < n; ++x) response[x] = std::max(even[x] + sign * odd[x], 0.f);
  for (std::size_t x = 0; x < n; ++x) {
    response[x] = std::min(response[x], 1.f);
    energy[x] += response[x] * response[x];
  }
}

// gain = 1 / the length of all responses in the 3 x 3 neighbourhood, at least 1. energy: of the pixel above
// and left of the first.
MASH_WIDE_VECTORS void find_gains(const float* energy, std::size_t stride, std::size_t n, float* gain) {
  for (std::size_t x = 0; x < n; ++x) {
    const float *above = energy + x, *here = above + stride, *below = here + stride;
    const float sum =
        above[0] + above[1] + above[2] + here[0] + here[1] + here[2] + below[0] + below[1] + below[2];
    gain[x] = 1 / std::max(std::sqrt(sum), 1.f);
  }
}

// sums[x] = the sum over rows of response * gain.
MASH_WIDE_VECTORS void add_gained_rows(const float* response, const float* gains, std::size_t num_rows,
                                       std::size_t n, float* sums) {
  for (std::size_t x = 0; x < n; ++x) sums[x] = 0;
  for (std::size_t y = 0; y < num_rows; ++y, response += n, gains += n)
    for (std::size_t x = 0; x < n; ++x) sums[x] += response[x] * gains[x];
}

// A model of simple cells of the primary visual cortex (Pinto, Cox & DiCarlo 2008): the locally normalised
// image through a bank of Gabor filters, half-rectified and saturated, normalised over neighbours and
// filters, and averaged over the cells of a grid.
class V1s final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr auto parameters = std::array{
      mash::integer("orientations", "of the filters, over 180 degrees", 8, 2, 32),
      mash::integer("scales", "number of wavelengths", 3, 1, 6),
      mash::real("wavelength", "the shortest, pixels", 3, 2, 16),
      mash::real("growth", "ratio between one wavelength and the next", 1.5, 1.125, 2),
      mash::integer("grid", "cells along each side of the view", 7, 1, 30),
  };

  explicit V1s(const mash::Parameters& parameters)
      : num_orientations_(std::uint32_t(parameters.integer("orientations"))),
        grid_(std::uint32_t(parameters.integer("grid"))) {
    double wavelength = parameters.real("wavelength");
    for (long long i = 0; i < parameters.integer("scales"); ++i, wavelength *= parameters.real("growth"))
      scales_.push_back(make_scale(wavelength));
    border_ = scales_.back().radius;
  }

  std::uint32_t dim(mash::Size) const override { return num_filters() * grid_ * grid_; }

 private:
  static constexpr float kSmallestContrast = 10;  // grey levels over a neighbourhood: less is not amplified

  std::uint32_t num_filters() const { return num_orientations_ * std::uint32_t(scales_.size()); }

  // Envelopes of one octave: sigma = 0.56 wavelengths; cut where the paper cuts them (21 pixels of sigma 9).
  Scale make_scale(double wavelength) const {
    const double sigma = 0.56 * wavelength, frequency = 2 * std::numbers::pi / wavelength;
    Scale scale{std::uint32_t(std::ceil(7 * sigma / 3)), {}};
    for (std::uint32_t o = 0; 2 * o <= num_orientations_; ++o) {
      const double angle = std::numbers::pi * o / num_orientations_;
      scale.pairs.push_back({make_factors(frequency * std::cos(angle), sigma, scale.radius),
                             make_factors(frequency * std::sin(angle), sigma, scale.radius),
                             o > 0 && 2 * o < num_orientations_});
    }
    return scale;
  }

  // Planes are rows of stride_ values, the last border_ of them 0; border_ rows of zeros come before and
  // after, so that no filter needs a test.
  void set_size(mash::Size size) {
    size_ = size;
    stride_ = std::size_t(size.width) + border_;
    num_values_ = (stride_ * size.height + kBlock - 1) / kBlock * kBlock;
    const std::size_t margin = border_ * (stride_ + 1) + kBlock;
    input_.assign(num_values_ + 2 * margin, 0.f);
    row_cosine_.assign(num_values_ + 2 * margin, 0.f);
    row_sine_.assign(num_values_ + 2 * margin, 0.f);
    even_.assign(num_values_, 0.f);
    odd_.assign(num_values_, 0.f);
    responses_.assign(std::size_t(num_filters()) * size.width * size.height, 0.f);
    energy_.assign((size.width + std::size_t(2)) * (size.height + std::size_t(2)), 0.f);
    origin_ = margin;
  }

  // The image less the mean of each pixel's 3 x 3 neighbourhood, divided by the length of that difference
  // over the neighbourhood.
  void normalise_input(const mash::View& view) {
    pixels_.read(view.gray(), size_, 1);
    sums_.resize(size_.width);
    squares_.resize(size_.width);
    for (std::uint32_t y = 0; y < size_.height; ++y) {
      const std::uint8_t* row = pixels_.row(y);
      std::fill(sums_.begin(), sums_.end(), 0);
      std::fill(squares_.begin(), squares_.end(), 0);
      for (std::ptrdiff_t dy = -1; dy <= 1; ++dy)
        for (std::ptrdiff_t dx = -1; dx <= 1; ++dx) {
          const std::uint8_t* other = row + dy * pixels_.stride() + dx;
          for (std::uint32_t x = 0; x < size_.width; ++x) {
            sums_[x] += other[x];
            squares_[x] += other[x] * other[x];
          }
        }
      float* out = input_.data() + origin_ + y * stride_;
      for (std::uint32_t x = 0; x < size_.width; ++x) {
        const float contrast = std::sqrt(float(9 * squares_[x] - sums_[x] * sums_[x]) / 9);
        out[x] = float(9 * row[x] - sums_[x]) / 9 / std::max(contrast, kSmallestContrast);
      }
    }
  }

  void rectify(float sign, float* response) {
    for (std::size_t y = 0; y < size_.height; ++y, response += size_.width)
      rectify_row(even_.data() + y * stride_, odd_.data() + y * stride_, sign, size_.width, response,
                  energy_.data() + (y + 1) * (size_.width + std::size_t(2)) + 1);
  }

  // cos(ax + by) = cos ax cos by - sin ax sin by: two separable filters give an orientation, and with the
  // other sign its mirror image.
  void filter(const Scale& scale, float* responses) {
    const std::size_t plane = std::size_t(size_.width) * size_.height;
    const std::size_t row_start = origin_ - scale.radius, column_start = origin_ - scale.radius * stride_;
    for (std::uint32_t o = 0; o < scale.pairs.size(); ++o) {
      const MirrorPair& pair = scale.pairs[o];
      add_weighted_rows(input_.data() + row_start, 1, pair.row.cosine, num_values_,
                        row_cosine_.data() + origin_);
      add_weighted_rows(row_cosine_.data() + column_start, stride_, pair.column.cosine, num_values_,
                        even_.data());
      if (pair.has_mirror) {
        add_weighted_rows(input_.data() + row_start, 1, pair.row.sine, num_values_,
                          row_sine_.data() + origin_);
        add_weighted_rows(row_sine_.data() + column_start, stride_, pair.column.sine, num_values_,
                          odd_.data());
      } else {
        std::fill(odd_.begin(), odd_.end(), 0.f);
      }
      rectify(-1, responses + o * plane);
      if (pair.has_mirror) rectify(1, responses + (num_orientations_ - o) * plane);
    }
  }

  void normalise_output() {
    gains_.resize(std::size_t(size_.width) * size_.height);
    const std::size_t stride = size_.width + std::size_t(2);
    for (std::size_t y = 0; y < size_.height; ++y)
      find_gains(energy_.data() + y * stride, stride, size_.width, gains_.data() + y * size_.width);
  }

  // The pixels of cell i of a side: at least one, so that a tiny view has no empty cells.
  std::uint32_t cell_start(std::uint32_t i, std::uint32_t length) const { return i * length / grid_; }
  std::uint32_t cell_end(std::uint32_t i, std::uint32_t length) const {
    return std::max((i + 1) * length / grid_, cell_start(i, length) + 1);
  }

  // Writes the means of response * gain over the cells; returns what follows them.
  float* pool(const float* response, float* out) {
    columns_.resize(size_.width);
    for (std::uint32_t cy = 0; cy < grid_; ++cy) {
      const std::uint32_t top = cell_start(cy, size_.height), bottom = cell_end(cy, size_.height);
      const std::size_t first = std::size_t(top) * size_.width;
      add_gained_rows(response + first, gains_.data() + first, bottom - top, size_.width, columns_.data());
      for (std::uint32_t cx = 0; cx < grid_; ++cx) {
        const std::uint32_t left = cell_start(cx, size_.width), right = cell_end(cx, size_.width);
        float sum = 0;
        for (std::uint32_t x = left; x < right; ++x) sum += columns_[x];
        *out++ = sum / float((right - left) * (bottom - top));
      }
    }
    return out;
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    if (size_.width != view.width() || size_.height != view.height()) set_size({view.width(), view.height()});
    normalise_input(view);
    std::fill(energy_.begin(), energy_.end(), 0.f);
    const std::size_t plane = std::size_t(size_.width) * size_.height;
    for (std::size_t s = 0; s < scales_.size(); ++s)
      filter(scales_[s], responses_.data() + s * num_orientations_ * plane);
    normalise_output();
    float* out = values.data();
    for (std::uint32_t f = 0; f < num_filters(); ++f) out = pool(responses_.data() + f * plane, out);
  }

  std::uint32_t num_orientations_, grid_;
  std::vector<Scale> scales_;  // radius increasing
  std::size_t border_ = 0, stride_ = 0, num_values_ = 0, origin_ = 0;
  mash::Size size_{0, 0};
  mash::heuristics::Pixels pixels_;
  std::vector<float> input_, row_cosine_, row_sine_;  // planes; the first pixel is at origin_
  std::vector<float> even_, odd_;                     // planes without margins
  std::vector<float> responses_;                      // [filter][pixel]
  std::vector<float> energy_;                         // per pixel, with a border of one pixel of zeros
  std::vector<float> gains_;                          // per pixel
  std::vector<std::int32_t> sums_, squares_;          // of one row
  std::vector<float> columns_;                        // of one row of cells
};

}  // namespace

MASH_HEURISTIC(V1s, "v1s", "1.0.0", "MASH", "normalised responses of a bank of Gabor filters over a grid",
               "Apache-2.0")
