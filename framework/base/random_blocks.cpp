// SPDX-License-Identifier: Apache-2.0
// Many random numbers at once. Apart from random.cpp, so that a program that draws them one by one needs no
// Highway: that library measures the machine's clock whenever a program starts.
#include <algorithm>
#include <array>
#include <cstring>

#include "framework/base/elementary.hpp"
#include "framework/base/philox_blocks.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

std::uint64_t joined(std::uint32_t low, std::uint32_t high) { return std::uint64_t(high) << 32 | low; }

}  // namespace

// make(counter, index, key) makes some blocks and gives how many.
template <class Make>
std::size_t RandomStream::make_blocks(const Make& make) {
  const std::uint64_t counter = joined(counter_.v[0], counter_.v[1]);
  const std::size_t num_blocks =
      make(counter, joined(counter_.v[2], counter_.v[3]), joined(key_.v[0], key_.v[1]));
  counter_.v[0] = std::uint32_t(counter + num_blocks);
  counter_.v[1] = std::uint32_t((counter + num_blocks) >> 32);
  return num_blocks;
}

void RandomStream::uniform(std::span<double> out) {
  std::size_t i = 0;
  while (i < out.size() && position_ == 2) out[i++] = uniform();
  if (position_ == 4)
    i += 2 * make_blocks([&](std::uint64_t counter, std::uint64_t index, std::uint64_t key) {
           return philox_uniforms(counter, index, key, (out.size() - i) / 2, out.data() + i);
         });
  for (; i < out.size(); ++i) out[i] = uniform();
}

void RandomStream::exponential(std::span<float> out) {
  std::array<std::uint64_t, 128> pairs;
  std::array<std::uint32_t, 2 * pairs.size()> words;
  while (position_ != 4 && !out.empty()) {
    out.front() = exponential_of(next_u32());
    out = out.subspan(1);
  }
  while (!out.empty()) {
    const std::size_t size = std::min(out.size(), words.size());
    const std::size_t num_blocks =
        make_blocks([&](std::uint64_t counter, std::uint64_t index, std::uint64_t key) {
          return philox_words(counter, index, key, size / 4, pairs.data());
        });
    std::memcpy(words.data(), pairs.data(), 16 * num_blocks);
    for (std::size_t i = 4 * num_blocks; i < size; ++i) words[i] = next_u32();
    exponentials_of(size, words.data(), out.data());
    out = out.subspan(size);
  }
}

}  // namespace mash
