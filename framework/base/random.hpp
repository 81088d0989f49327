// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Random123/philox.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace mash {

// A named, counter-based stream of random numbers: Philox4x32-10 (Salmon et al. 2011, "Parallel random
// numbers: as easy as 1, 2, 3"). What it gives depends on (seed, purpose, index) alone, so a new consumer
// never changes what another one draws, and round 500 needs no draws of round 499. The distributions are
// ours, because the standard library's differ between implementations.
class RandomStream {
 public:
  // purpose: what the numbers are for, a name of its own per consumer. index: the round, family or image.
  RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t index = 0);

  std::uint32_t next_u32() {
    if (position_ == 4) refill();
    return block_.v[position_++];
  }
  std::uint64_t next_u64() {
    const std::uint64_t high = next_u32();
    return high << 32 | next_u32();
  }
  // In [0, 1), a multiple of 2^-53.
  double uniform() { return double(next_u64() >> 11) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // As many as `out` has room for: the same numbers, faster.
  void uniform(std::span<double> out);
  // Standard exponential, mean 1, in single precision: -ln x of x = (next_u32() >> 1 | 1) / 2^31.
  void exponential(std::span<float> out);
  // In [0, bound), without bias. REQUIRES: bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  // Standard normal (Marsaglia & Bray 1964, the polar method: no sine, whose bits depend on the machine).
  double normal();

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  void refill();
  template <class Make>
  std::size_t make_blocks(const Make& make);

  r123::Philox4x32 philox_;
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_;
  r123::Philox4x32::ctr_type block_;
  unsigned position_ = 4;
};

}  // namespace mash
