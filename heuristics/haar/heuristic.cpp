// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <numbers>
#include <vector>

#include "heuristics/common/whole_heuristic.hpp"

namespace {

// The orthonormal two-dimensional Haar wavelet transform of the grey image (Stollnitz, DeRose & Salesin
// 1995). The image lies in the middle of the smallest power-of-two rectangle that holds it; the outermost
// pixels repeat.
class Haar final : public mash::heuristics::WholeHeuristic {
 public:
  static constexpr std::array kDecompositions = {"standard", "nonstandard"};
  static constexpr auto parameters = std::array{
      mash::choice("decomposition", "all rows then all columns, or in turn per scale", 1, kDecompositions),
  };

  explicit Haar(const mash::Parameters& parameters) : is_standard_(parameters.choice("decomposition") == 0) {}

  std::uint32_t dim(mash::Size size) const override {
    return std::bit_ceil(size.width) * std::bit_ceil(size.height);
  }

 private:
  // One step along `length` values `step` apart: averages to the first half, differences to the second, both
  // divided by sqrt 2.
  void split(float* values, std::uint32_t length, std::size_t step) {
    constexpr float kScale = 1 / std::numbers::sqrt2_v<float>;
    const std::size_t half = length / 2;
    for (std::size_t i = 0; i < half; ++i) {
      const float first = values[2 * i * step], second = values[(2 * i + 1) * step];
      scratch_[i] = (first + second) * kScale;
      scratch_[half + i] = (first - second) * kScale;
    }
    for (std::uint32_t i = 0; i < length; ++i) values[i * step] = scratch_[i];
  }

  void split_rows(float* values, mash::Size size, std::uint32_t length, std::uint32_t num_rows) {
    for (std::uint32_t y = 0; y < num_rows; ++y) split(values + std::size_t(y) * size.width, length, 1);
  }
  void split_columns(float* values, mash::Size size, std::uint32_t length, std::uint32_t num_columns) {
    for (std::uint32_t x = 0; x < num_columns; ++x) split(values + x, length, size.width);
  }

  static void pad(const mash::View& view, mash::Size size, float* out) {
    const std::uint32_t left = (size.width - view.width()) / 2, top = (size.height - view.height()) / 2;
    const auto inside = [](std::uint32_t position, std::uint32_t margin, std::uint32_t length) {
      return position < margin ? 0 : std::min(position - margin, length - 1);
    };
    for (std::uint32_t y = 0; y < size.height; ++y)
      for (std::uint32_t x = 0; x < size.width; ++x)
        *out++ = view.gray()(inside(x, left, view.width()), inside(y, top, view.height()));
  }

  void compute_values(const mash::View& view, std::span<float> values) override {
    const mash::Size size = {std::bit_ceil(view.width()), std::bit_ceil(view.height())};
    scratch_.resize(std::max(size.width, size.height));
    pad(view, size, values.data());
    if (is_standard_) {
      for (std::uint32_t length = size.width; length > 1; length /= 2)
        split_rows(values.data(), size, length, size.height);
      for (std::uint32_t length = size.height; length > 1; length /= 2)
        split_columns(values.data(), size, length, size.width);
      return;
    }
    for (std::uint32_t width = size.width, height = size.height; width > 1 || height > 1;) {
      if (width > 1) split_rows(values.data(), size, width, height);
      if (height > 1) split_columns(values.data(), size, height, width);
      width = std::max(width / 2, 1u);
      height = std::max(height / 2, 1u);
    }
  }

  bool is_standard_;
  std::vector<float> scratch_;
};

}  // namespace

MASH_HEURISTIC(Haar, "haar", "1.0.0", "MASH", "2-D Haar wavelet transform of the grey image", "Apache-2.0")
