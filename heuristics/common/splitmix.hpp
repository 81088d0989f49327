// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mash::heuristics {

// SplitMix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators"): the same numbers
// from the same seed on every machine.
class SplitMix {
 public:
  // Stream number `stream` of `seed`: a feature draws from a stream of its own, so that asking for more
  // features leaves the first ones as they are.
  SplitMix(std::uint64_t seed, std::uint64_t stream) : state_(mix(mix(seed) + stream)) {}

  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15u); }

  // In [0, bound); the bias is below 2^-32. REQUIRES: bound >= 1.
  std::uint32_t below(std::uint32_t bound) { return std::uint32_t(((next() >> 32) * bound) >> 32); }
  // In [low, high].
  std::uint32_t between(std::uint32_t low, std::uint32_t high) { return low + below(high - low + 1); }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace mash::heuristics
