// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

// Pictures that a heuristic knows by heart, as those of a public data set can be. Of three classes, whose
// quarters are brighter by turns, under much noise.
namespace mash::testing {

inline constexpr int kNumKnown = 2400, kKnownSide = 12, kKnownClasses = 3;

inline std::uint64_t mixed(std::uint64_t number) {  // splitmix64
  number += 0x9e3779b97f4a7c15u;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
  return number ^ (number >> 31);
}

inline int known_class(int picture) { return picture % kKnownClasses; }

inline std::vector<std::uint8_t> known_picture(int picture) {
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < kKnownSide; ++y)
    for (int x = 0; x < kKnownSide; ++x) {
      const int quarter = 2 * (y >= kKnownSide / 2) + (x >= kKnownSide / 2);
      const std::uint64_t noise = mixed(std::uint64_t(picture) << 16 | unsigned(y * kKnownSide + x)) % 200;
      pixels.push_back(std::uint8_t(20 + noise + (quarter == known_class(picture) ? 12 : 0)));
    }
  return pixels;
}

}  // namespace mash::testing
