// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// A picture as its decoder gives it: red, green, blue, 8 bits each, rows top down.
struct Picture {
  std::uint32_t width = 0, height = 0;
  bool is_grey = false;  // the file has one colour channel, or a palette of greys; the three are equal
  std::vector<std::uint8_t> pixels;

  std::uint8_t* row(std::size_t y) { return pixels.data() + y * 3 * width; }
};

// Told the number of pixels of a picture before memory is taken for them.
using BeforePixels = std::function<void(std::uint64_t num_pixels)>;

// A black picture for a decoder to fill. Errors: kInput where a side is 0 or more than 16384 pixels.
Result<Picture> black_picture(std::uint64_t width, std::uint64_t height, const BeforePixels& before);

// The error of a file of `format` ("PNG") that cannot be decoded. reason: what its library found.
Error damaged(std::string_view format, std::string_view reason);

// The error of a sound file of `format` that is of a kind that is not read ("12 bits a channel").
Error not_read(std::string_view format, std::string_view kind);

// A level from 0 to `white` as one from 0 to 255, rounded; larger ones are white.
constexpr std::uint8_t scaled_level(std::uint64_t level, std::uint64_t white) {
  if (level >= white) return 255;
  return std::uint8_t(white == 255 ? level : (level * 255 + white / 2) / white);
}

// The colour of white paper under four inks. lights: what cyan, magenta, yellow and black let through, 255:
// all of it.
constexpr void mix_inks(const std::uint8_t* lights, std::uint8_t* pixel) {
  for (int channel = 0; channel < 3; ++channel)
    pixel[channel] = scaled_level(std::uint64_t(lights[channel]) * lights[3], 255 * 255);
}

}  // namespace mash
