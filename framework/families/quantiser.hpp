// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// The cuts of a feature: at most 255 increasing thresholds. The code of a value x is the number of thresholds
// <= x, 0 ... 255; NaN has code 0. So "code >= c" and "x >= threshold(c)" say the same of every value, for c
// = 1, 2, ..., and a model that is trained on codes predicts from raw values with exactly the same result.
class Thresholds {
 public:
  static constexpr std::size_t kMax = 255;

  Thresholds() { values_.fill(kPadding); }
  // REQUIRES: increasing, at most kMax, none is NaN.
  explicit Thresholds(std::span<const float> values);

  std::uint32_t size() const { return size_; }
  // The value at or above which the code is at least `cut`. REQUIRES: 1 <= cut <= size().
  float at(std::uint32_t cut) const { return values_[cut - 1]; }
  std::span<const float> values() const { return {values_.data(), size_}; }

  std::uint8_t code(float x) const {
    std::uint32_t code = 0;
    for (std::uint32_t step = 128; step > 0; step /= 2)
      if (values_[code + step - 1] <= x) code += step;
    return std::uint8_t(code < size_ ? code : size_);
  }
  // out[n] = code(values[n]), many at once.
  void find_codes(std::span<const float> values, std::uint8_t* out) const;

 private:
  static constexpr float kPadding = __builtin_inff();

  std::array<float, kMax> values_;
  std::uint32_t size_ = 0;
};

// The point that separates two neighbouring values lo < hi: lo < b <= hi always. The middle where there is a
// float between them, else hi; also hi where one of them is infinite.
float cut_between(float lo, float hi);

// Thresholds at quantiles of the distinct values: one between every two of them where there are at most 256,
// else 255 at equal numbers of distinct values. Where NaN occurs the first threshold is the smallest value,
// so that NaN has code 0 to itself, and 254 are left for the rest. Reorders `values`.
Thresholds choose_thresholds(std::span<float> values);

}  // namespace mash
