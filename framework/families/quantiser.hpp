// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// The cuts of a feature: at most 255 increasing thresholds. The code of a value x is the number of thresholds
// <= x, 0 ... 255; NaN has code 0. So "code >= c" and "x >= threshold(c)" agree for every value, for c = 1,
// 2, ... A model that is trained on codes therefore gives exactly the same result on raw values.
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
  // out[n] = code(values[n]), for many values at once.
  void find_codes(std::span<const float> values, std::uint8_t* out) const;

 private:
  static constexpr float kPadding = __builtin_inff();

  std::array<float, kMax> values_;
  std::uint32_t size_ = 0;
};

// The threshold b that separates two neighbouring values lo < hi, so that lo < b <= hi. It is the middle
// where there is a float between them. It is hi where there is none, or where one of them is infinite.
float cut_between(float lo, float hi);

// Thresholds at quantiles of the distinct values. Where there are at most 256 distinct values, a threshold
// lies between every two neighbours; else 255 thresholds separate equal numbers of distinct values. Where NaN
// occurs, the first threshold is the smallest value, so that only NaN has code 0, and 254 thresholds are left
// for the rest. Reorders `values`.
Thresholds choose_thresholds(std::span<float> values);

}  // namespace mash
