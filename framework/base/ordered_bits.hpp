// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace mash {

// A float's bits as an integer that is in the order of the numbers: those of negative ones are turned round.
// -0 comes right before 0. REQUIRES: no NaN.
inline std::uint32_t ordered_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return bits >> 31 != 0 ? ~bits : bits | 1u << 31;
}

// The float with these ordered_bits.
inline float from_ordered_bits(std::uint32_t bits) {
  return std::bit_cast<float>(bits >> 31 != 0 ? bits & ~(1u << 31) : ~bits);
}

// Whether two floats are equal bit for bit, or both NaN.
inline bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

}  // namespace mash
