// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/probe_pictures.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "classifiers/model/model_head.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

std::uint8_t random_byte(RandomStream& stream) { return std::uint8_t(stream.below(256)); }

// From 0 to 255 along an axis of `size` pixels.
std::uint32_t along(std::uint32_t place, std::uint32_t size) {
  return size > 1 ? 255 * place / (size - 1) : 0;
}

// For each channel a slope of its own in both directions.
void draw_slope(const ImageShape& shape, RandomStream& stream, std::span<std::uint8_t> pixels) {
  for (std::uint32_t c = 0; c < shape.num_channels; ++c) {
    const auto across = std::uint32_t(64 + stream.below(192)), down = std::uint32_t(64 + stream.below(192));
    const bool from_right = stream.below(2) == 1, from_below = stream.below(2) == 1;
    for (std::uint32_t y = 0; y < shape.height; ++y)
      for (std::uint32_t x = 0; x < shape.width; ++x) {
        const std::uint32_t u = along(from_right ? shape.width - 1 - x : x, shape.width),
                            v = along(from_below ? shape.height - 1 - y : y, shape.height);
        pixels[(std::size_t(y) * shape.width + x) * shape.num_channels + c] =
            std::uint8_t((across * u + down * v) / (across + down));
      }
  }
}

// Some six blocks along the shorter side, each of one colour.
void draw_blocks(const ImageShape& shape, RandomStream& stream, std::span<std::uint8_t> pixels) {
  const std::uint32_t side = std::max(1u, std::min(shape.width, shape.height) / 6);
  const std::size_t row = std::size_t(shape.width) * shape.num_channels;
  std::vector<std::uint8_t> colours((shape.width + side - 1) / side * shape.num_channels);
  for (std::uint32_t y = 0; y < shape.height; ++y) {
    if (y % side == 0) std::ranges::generate(colours, [&] { return random_byte(stream); });
    for (std::size_t i = 0; i < row; ++i) {
      const std::size_t x = i / shape.num_channels, c = i % shape.num_channels;
      pixels[y * row + i] = colours[x / side * shape.num_channels + c];
    }
  }
}

}  // namespace

Split probe_pictures(const ImageShape& shape, std::uint64_t seed) {
  Split split;
  split.num_examples = kNumProbePictures;
  split.pixels.resize(kNumProbePictures * shape.num_bytes());
  split.labels.resize(kNumProbePictures);
  const auto picture = [&](std::size_t n) {
    return std::span(split.pixels).subspan(n * shape.num_bytes(), shape.num_bytes());
  };
  RandomStream slope(seed, "probe.slope"), blocks(seed, "probe.blocks"), noise(seed, "probe.noise");
  draw_slope(shape, slope, picture(0));
  draw_blocks(shape, blocks, picture(1));
  std::ranges::generate(picture(2), [&] { return random_byte(noise); });
  for (std::uint32_t n = 0; n < kNumProbePictures; ++n) split.frames.push_back({n, n % shape.num_cameras});
  return split;
}

}  // namespace mash
