// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <numbers>

namespace mash {

inline constexpr double kLn2High = 0x1.62e42fefa0000p-1,
                        kLn2Low = 0x1.cf79abc9e3b3ap-40;            // their sum is ln 2
inline constexpr std::uint64_t kSqrtHalfBits = 0x3fe6a09e667f3bcd;  // of the double
inline constexpr std::uint32_t kSqrtHalfBitsOfFloat = 0x3f3504f3;
inline constexpr float kLn2OfFloat = 0x1.62e43p-1f;

// exp and log with the same bits on every machine: the C library picks its own by instruction set. Plain
// arithmetic without branches on the data, so that loops over them vectorise; the build forbids fused
// multiply-adds.

// e^x to 2 ulp for |x| <= 700; beyond, as at the border.
inline double stable_exp(double x) {
  constexpr double kLog2e = 1.4426950408889634;
  constexpr double kShift = 0x1.8p52;  // adding it rounds to a whole number
  x = x > 700 ? 700 : (x < -700 ? -700 : x);
  const double shifted = x * kLog2e + kShift;
  const double k = shifted - kShift;
  const double r = x - k * kLn2High - k * kLn2Low;
  double p = 1.0 / 6227020800;
  p = p * r + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r * r + r + 1;
  const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return p * std::bit_cast<double>(exponent);
}

// ln x to 2 ulp for normal x > 0.
inline double stable_log(double x) {
  const std::uint64_t offset = std::bit_cast<std::uint64_t>(x) - kSqrtHalfBits;
  const auto k = double(std::int64_t(offset) >> 52);
  const double m =
      std::bit_cast<double>((offset & 0xfffffffffffff) + kSqrtHalfBits);  // in [sqrt(1/2), sqrt(2))
  const double s = (m - 1) / (m + 1), z = s * s;
  double p = 1.0 / 21;
  for (int odd = 19; odd >= 3; odd -= 2) p = p * z + 1.0 / odd;
  return k * kLn2High + (2 * s + (2 * s * z * p + k * kLn2Low));
}

// log10 x to 3 ulp for normal x > 0.
inline double stable_log10(double x) { return stable_log(x) * std::numbers::log10e; }

// ln x in single precision, to 2 ulp of the larger of |ln x| and 1, for normal x > 0.
inline float stable_logf(float x) {
  const std::uint32_t offset = std::bit_cast<std::uint32_t>(x) - kSqrtHalfBitsOfFloat;
  const auto k = float(std::int32_t(offset) >> 23);
  const float m = std::bit_cast<float>((offset & 0x7fffff) + kSqrtHalfBitsOfFloat);
  const float s = (m - 1) / (m + 1), z = s * s;
  float p = 1.0f / 9;
  for (int odd = 7; odd >= 3; odd -= 2) p = p * z + 1.0f / float(odd);
  return k * kLn2OfFloat + (2 * s + 2 * s * z * p);
}

// ln(1 + e^x) to 4 ulp, without overflow.
inline double stable_log1p_exp(double x) {
  const double e = stable_exp(x < 0 ? x : -x);
  const double sum = 1 + e;
  return (x > 0 ? x : 0) +
         (stable_log(sum) + (e - (sum - 1)) / sum);  // what rounding took from the sum is given back
}

}  // namespace mash
