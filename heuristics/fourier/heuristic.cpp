// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "heuristics/common/pixels.hpp"
#include "heuristics/common/whole_heuristic.hpp"

namespace {

struct Frequency {
  std::uint32_t x, y;  // cycles per view width and height
};

// cos and sin of 2 pi j / n, j = 0 .. n - 1.
struct Circle {
  std::vector<float> cosine, sine;

  void resize(std::uint32_t n) {
    cosine.resize(n);
    sine.resize(n);
    for (std::uint32_t j = 0; j < n; ++j) {
      const double angle = 2 * std::numbers::pi * j / n;
      cosine[j] = float(std::cos(angle));
      sine[j] = float(std::sin(angle));
    }
  }
};

// The two-dimensional discrete Fourier transform of the grey image, as a direct sum over the columns and then
// over the rows: any size will do, and at the sizes of views a fast transform would gain little.
class Fourier final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kOutputs = {"log-magnitude", "real-imaginary", "both"};
  static constexpr auto parameters = std::array{
      mash::choice("output", "what is given of each coefficient", 2, kOutputs),
  };

  explicit Fourier(const mash::Parameters& parameters)
      : gives_magnitude_(parameters.choice("output") != 1), gives_parts_(parameters.choice("output") != 0) {}

  std::uint32_t dim(mash::Size size) const override {
    return num_frequencies(size) * ((gives_magnitude_ ? 1u : 0u) + (gives_parts_ ? 2u : 0u));
  }

 private:
  // A real image's coefficients at (x, y) and (-x, -y) are conjugate: one of each such pair, and those that
  // are their own partner.
  static std::uint32_t num_frequencies(mash::Size size) {
    const std::uint32_t num_own_x = size.width % 2 == 0 ? 2 : 1, num_own_y = size.height % 2 == 0 ? 2 : 1;
    return (size.width * size.height + num_own_x * num_own_y) / 2;
  }

  void set_size(mash::Size size) {
    size_ = size;
    circle_x_.resize(size.width);
    circle_y_.resize(size.height);
    samples_.resize(size.width);
    frequencies_.clear();
    for (std::uint32_t y = 0; y < size.height; ++y)
      for (std::uint32_t x = 0; x <= size.width / 2; ++x) {
        const bool partner_has_same_x = 2 * x % size.width == 0;
        if (!partner_has_same_x || 2 * y <= size.height) frequencies_.push_back({x, y});
      }
    num_x_ = size.width / 2 + 1;
    row_real_.resize(std::size_t(size.height) * num_x_);
    row_imaginary_.resize(row_real_.size());
    real_.resize(num_x_);
    imaginary_.resize(num_x_);
  }

  // row(y, kx) = sum over x of grey(x, y) exp(-2 pi i kx x / width).
  void transform_rows(const mash::View& view) {
    std::fill(row_real_.begin(), row_real_.end(), 0.f);
    std::fill(row_imaginary_.begin(), row_imaginary_.end(), 0.f);
    for (std::uint32_t y = 0; y < size_.height; ++y) {
      mash::heuristics::copy_row(view.gray(), y, size_.width, samples_.data());
      float* real = row_real_.data() + std::size_t(y) * num_x_;
      float* imaginary = row_imaginary_.data() + std::size_t(y) * num_x_;
      for (std::uint32_t x = 0; x < size_.width; ++x) {
        if (samples_[x] == 0) continue;
        for (std::uint32_t kx = 0, turn = 0; kx < num_x_; ++kx) {
          real[kx] += samples_[x] * circle_x_.cosine[turn];
          imaginary[kx] -= samples_[x] * circle_x_.sine[turn];
          turn = turn + x < size_.width ? turn + x : turn + x - size_.width;
        }
      }
    }
  }

  // The coefficients (kx, ky) of one ky, divided by sqrt(width height): real_ and imaginary_.
  void transform_columns(std::uint32_t ky) {
    std::fill(real_.begin(), real_.end(), 0.f);
    std::fill(imaginary_.begin(), imaginary_.end(), 0.f);
    const float scale = 1 / std::sqrt(float(size_.width) * float(size_.height));
    for (std::uint32_t y = 0, turn = 0; y < size_.height; ++y) {
      const float cosine = scale * circle_y_.cosine[turn], sine = scale * circle_y_.sine[turn];
      const float* real = row_real_.data() + std::size_t(y) * num_x_;
      const float* imaginary = row_imaginary_.data() + std::size_t(y) * num_x_;
      for (std::uint32_t kx = 0; kx < num_x_; ++kx) {
        real_[kx] += real[kx] * cosine + imaginary[kx] * sine;
        imaginary_[kx] += imaginary[kx] * cosine - real[kx] * sine;
      }
      turn = turn + ky < size_.height ? turn + ky : turn + ky - size_.height;
    }
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    if (size_.width != view.width() || size_.height != view.height()) set_size({view.width(), view.height()});
    transform_rows(view);
    const std::size_t n = frequencies_.size();
    float* parts = values.data() + (gives_magnitude_ ? n : 0);
    for (std::size_t i = 0; i < n; ++i) {
      const Frequency frequency = frequencies_[i];
      if (i == 0 || frequency.y != frequencies_[i - 1].y) transform_columns(frequency.y);
      const float real = real_[frequency.x], imaginary = imaginary_[frequency.x];
      if (gives_magnitude_) values[i] = std::log1p(std::sqrt(real * real + imaginary * imaginary));
      if (gives_parts_) {
        parts[i] = real;
        parts[n + i] = imaginary;
      }
    }
  }

  bool gives_magnitude_, gives_parts_;
  mash::Size size_{0, 0};
  std::uint32_t num_x_ = 0;
  Circle circle_x_, circle_y_;
  std::vector<Frequency> frequencies_;  // in the order of the features
  std::vector<float> samples_, row_real_, row_imaginary_, real_, imaginary_;
};

}  // namespace

MASH_HEURISTIC(Fourier, "fourier", "1.0.0", "MASH", "2-D discrete Fourier transform of the grey image",
               "Apache-2.0")
