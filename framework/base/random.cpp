// SPDX-License-Identifier: Apache-2.0
#include "framework/base/random.hpp"

#include <xxhash.h>

#include <cmath>

#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

__extension__ using Product = unsigned __int128;

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t index) {
  const std::uint64_t key = XXH64(purpose.data(), purpose.size(), seed);
  key_ = {{std::uint32_t(key), std::uint32_t(key >> 32)}};
  counter_ = {{0, 0, std::uint32_t(index), std::uint32_t(index >> 32)}};
}

void RandomStream::refill() {
  block_ = philox_(counter_, key_);
  if (++counter_.v[0] == 0) ++counter_.v[1];
  position_ = 0;
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  require(bound >= 1, "RandomStream::below: bound >= 1");
  // Lemire 2019, "Fast random integer generation in an interval".
  Product product = Product(next_u64()) * bound;
  if (auto low = std::uint64_t(product); low < bound) {
    const std::uint64_t threshold = -bound % bound;
    while (low < threshold) {
      product = Product(next_u64()) * bound;
      low = std::uint64_t(product);
    }
  }
  return std::uint64_t(product >> 64);
}

double RandomStream::normal() {
  for (;;) {
    const double u = uniform(-1, 1), v = uniform(-1, 1), s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * stable_log(s) / s);
  }
}

}  // namespace mash
