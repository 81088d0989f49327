// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/picture.hpp"

#include <algorithm>
#include <cstring>

#include "framework/base/random.hpp"
#include "framework/base/require.hpp"
#include "framework/dataset/generators/digits.hpp"

namespace mash::checks {
namespace {

// Fills a picture with value(x, y, channel).
template <class Value>
Pixels make(mash_size_t size, std::uint32_t num_channels, const Value& value) {
  Pixels pixels{size, num_channels, {}};
  pixels.samples.reserve(std::size_t(size.width) * size.height * num_channels);
  for (std::uint32_t y = 0; y < size.height; ++y)
    for (std::uint32_t x = 0; x < size.width; ++x)
      for (std::uint32_t c = 0; c < num_channels; ++c) pixels.samples.push_back(std::uint8_t(value(x, y, c)));
  return pixels;
}

}  // namespace

Pixels textured(std::uint64_t seed, std::uint64_t index, mash_size_t size, std::uint32_t num_channels) {
  RandomStream random(seed, "check: textured picture", index);
  const auto phase = std::uint32_t(random.below(64)), slope = std::uint32_t(3 + random.below(5));
  return make(size, num_channels, [&](std::uint32_t x, std::uint32_t y, std::uint32_t c) {
    const std::uint32_t wave = (x * (slope + c) + y * 5 + phase) % 64;
    return (wave < 32 ? wave : 63 - wave) * 6 + (random.next_u32() >> 26);
  });
}

Pixels noise(std::uint64_t seed, mash_size_t size, std::uint32_t num_channels) {
  RandomStream random(seed, "check: noise");
  return make(size, num_channels, [&](auto, auto, auto) { return random.next_u32() >> 24; });
}

Pixels flat(std::uint8_t value, mash_size_t size) {
  return make(size, 1, [&](auto, auto, auto) { return value; });
}

Pixels two_colours(const Rgb& left_half, const Rgb& right_half, mash_size_t size) {
  return make(size, 3, [&](std::uint32_t x, std::uint32_t, std::uint32_t c) {
    return (2 * x < size.width ? left_half : right_half)[c];
  });
}

Pixels checkerboard(std::uint32_t cell, mash_size_t size) {
  return two_valued(size, [=](std::uint32_t x, std::uint32_t y) { return (x / cell + y / cell) % 2 != 0; });
}

Pixels two_valued(mash_size_t size, const std::function<bool(std::uint32_t x, std::uint32_t y)>& is_white) {
  return make(size, 1,
              [&](std::uint32_t x, std::uint32_t y, std::uint32_t) { return is_white(x, y) ? 255 : 0; });
}

Pixels digit(std::uint64_t seed, std::size_t example_idx, mash_size_t size) {
  DigitsSettings settings;
  settings.shape = {size.width, size.height, 1};
  Pixels pixels{size, 1, std::vector<std::uint8_t>(settings.shape.num_bytes())};
  render_digit(settings, DigitsSide::kTrain, seed, example_idx, pixels.samples);
  return pixels;
}

Pixels as_colour(const Pixels& gray) {
  require(gray.num_channels == 1, "as_colour: a picture of one channel");
  return make(gray.size, 3,
              [&](std::uint32_t x, std::uint32_t y, std::uint32_t) { return gray.at(x, y, 0); });
}

LaidOutPicture::LaidOutPicture(const Picture& picture)
    : view_{picture.layout().left, picture.layout().top, picture.size().width, picture.size().height} {
  const Pixels& pixels = picture.pixels();
  const Layout& layout = picture.layout();
  const Fence fence = picture.fence();
  image_ = {std::uint32_t(sizeof image_),
            pixels.num_channels,
            pixels.size.width + layout.left + layout.right,
            pixels.size.height + layout.top + layout.bottom,
            {},
            {},
            {},
            {}};
  const auto add = [&](mash_plane_t& plane, const char* name, const auto& value) {
    plane = allocate(layout, fence, name);
    // The host's planes are read-only to heuristics alone.
    auto* const origin = const_cast<std::uint8_t*>(plane.origin);
    for (std::uint32_t y = 0; y < view_.height; ++y) {
      std::uint8_t* row = origin + std::ptrdiff_t(view_.y + y) * plane.row_stride +
                          std::ptrdiff_t(view_.x) * plane.column_stride;
      for (std::uint32_t x = 0; x < view_.width; ++x)
        row[std::ptrdiff_t(x) * plane.column_stride] = std::uint8_t(value(x, y));
    }
  };
  add(image_.gray, "the grey image", [&](std::uint32_t x, std::uint32_t y) {
    return (11u * pixels.at(x, y, 0) + 16u * pixels.at(x, y, 1) + 5u * pixels.at(x, y, 2)) >> 5;
  });
  add(image_.red, "the red plane", [&](std::uint32_t x, std::uint32_t y) { return pixels.at(x, y, 0); });
  add(image_.green, "the green plane", [&](std::uint32_t x, std::uint32_t y) { return pixels.at(x, y, 1); });
  add(image_.blue, "the blue plane", [&](std::uint32_t x, std::uint32_t y) { return pixels.at(x, y, 2); });
  if (picture.is_read_only())
    for (const auto& memory : guarded_) memory->forbid_writing();
}

mash_plane_t LaidOutPicture::allocate(const Layout& layout, Fence fence, const char* name) {
  constexpr int kOther = 0xA5;
  if (fence == Fence::kBeforeRows || fence == Fence::kAfterRows) {
    const Placement placement =
        fence == Fence::kBeforeRows ? Placement::kBeginsAtPage : Placement::kEndsAtPage;
    const auto& memory = guarded_.emplace_back(
        std::make_unique<GuardedMemory>(GuardedRows{image_.width, image_.height}, placement, name));
    return {memory->data(), std::ptrdiff_t(memory->row_stride()), 1};
  }
  const std::size_t row_stride = std::size_t(image_.width) * layout.column_stride + layout.row_padding;
  // Up to the last sample and not a byte further.
  const std::size_t num_bytes = layout.misalignment + (image_.height - 1) * row_stride +
                                std::size_t(image_.width - 1) * layout.column_stride + 1;
  std::uint8_t* bytes = nullptr;
  if (fence == Fence::kNone) {
    bytes = plain_.emplace_back(num_bytes).data();
  } else {
    const Placement placement = fence == Fence::kReadOnly ? Placement::kAmidPages
                                : fence == Fence::kBefore ? Placement::kBeginsAtPage
                                                          : Placement::kEndsAtPage;
    bytes = guarded_.emplace_back(std::make_unique<GuardedMemory>(num_bytes, placement, name))->data();
  }
  std::memset(bytes, kOther, num_bytes);
  return {bytes + layout.misalignment, std::ptrdiff_t(row_stride), std::ptrdiff_t(layout.column_stride)};
}

}  // namespace mash::checks
