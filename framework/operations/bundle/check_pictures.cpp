// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/bundle/check_pictures.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace mash {
namespace {

constexpr std::uint32_t kLargestSide = 2048;  // of pictures that are resized
constexpr std::array<std::uint32_t, 3> kChannelNumbers{1, 3, 4};

// Steele, Lea & Flood's SplitMix64.
std::uint64_t next_number(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t x = state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// A side between a third of the size and three times it.
std::uint32_t other_side(std::uint32_t side, std::uint64_t& state) {
  const std::uint32_t least = side / 3 + 1, most = std::max(least, std::min(3 * side, kLargestSide));
  return least + std::uint32_t(next_number(state) % (most - least + 1));
}

void draw(CheckPicture& picture, std::uint64_t& state) {
  picture.pixels.reserve(std::size_t(picture.width) * picture.height * picture.channels);
  const std::uint64_t across = next_number(state) % 256, down = next_number(state) % 256,
                      noise = 1 + next_number(state) % 128;
  for (std::uint32_t y = 0; y < picture.height; ++y)
    for (std::uint32_t x = 0; x < picture.width; ++x)
      for (std::uint32_t c = 0; c < picture.channels; ++c) {
        const std::uint64_t slope = across * x / picture.width + down * y / picture.height + 40 * c;
        picture.pixels.push_back(std::uint8_t((slope + next_number(state) % noise) % 256));
      }
}

}  // namespace

std::vector<CheckPicture> check_pictures(std::uint32_t width, std::uint32_t height, bool resizes) {
  constexpr std::uint32_t kCount = 9;
  std::vector<CheckPicture> pictures;
  std::uint64_t state = 1;
  for (std::uint32_t n = 0; n < kCount; ++n) {
    CheckPicture& picture = pictures.emplace_back();
    const bool is_other = resizes && n >= kChannelNumbers.size();
    picture.width = is_other ? other_side(width, state) : width;
    picture.height = is_other ? other_side(height, state) : height;
    picture.channels = kChannelNumbers[n % kChannelNumbers.size()];
    draw(picture, state);
  }
  return pictures;
}

}  // namespace mash
