// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "framework/base/random.hpp"
#include "mash/abi/image.h"

namespace mash {

// How a picture lies in memory: margins around the view and bytes between samples.
struct Layout {
  std::uint32_t left = 0, top = 0, right = 0, bottom = 0;  // pixels of the image outside the view
  std::ptrdiff_t step = 1;                                 // bytes between neighbours of a row
  std::ptrdiff_t row_padding = 0;                          // bytes after each row
};

// An image and a view of it for the tests. `sample(x, y, channel)` gives the pixels of the view; the margins
// are filled with other values, so that a heuristic that looks beyond its view is found out.
class Picture {
 public:
  using Sample = std::function<std::uint8_t(std::uint32_t x, std::uint32_t y, std::uint32_t channel)>;

  Picture(mash_size_t size, std::uint32_t num_channels, const Sample& sample, const Layout& layout = {})
      : view_{layout.left, layout.top, size.width, size.height} {
    abi_ = {sizeof abi_,
            num_channels,
            size.width + layout.left + layout.right,
            size.height + layout.top + layout.bottom,
            {},
            {},
            {},
            {}};
    const auto rgb = [&](std::uint32_t x, std::uint32_t y, std::uint32_t c) {
      return std::uint32_t(sample(x, y, num_channels == 1 ? 0 : c));
    };
    const auto gray = [&](std::uint32_t x, std::uint32_t y) {
      return (11 * rgb(x, y, 0) + 16 * rgb(x, y, 1) + 5 * rgb(x, y, 2)) >> 5;
    };
    abi_.gray = add_plane(layout, gray);
    abi_.red = add_plane(layout, [&](std::uint32_t x, std::uint32_t y) { return rgb(x, y, 0); });
    abi_.green = add_plane(layout, [&](std::uint32_t x, std::uint32_t y) { return rgb(x, y, 1); });
    abi_.blue = add_plane(layout, [&](std::uint32_t x, std::uint32_t y) { return rgb(x, y, 2); });
  }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  const mash_image_t& abi() const { return abi_; }
  const mash_view_t& view() const { return view_; }
  mash_size_t size() const { return {view_.width, view_.height}; }
  std::uint8_t gray(std::uint32_t x, std::uint32_t y) const {
    return abi_.gray.origin[std::ptrdiff_t(view_.y + y) * abi_.gray.row_stride +
                            std::ptrdiff_t(view_.x + x) * abi_.gray.column_stride];
  }

 private:
  template <class Value>
  mash_plane_t add_plane(const Layout& layout, const Value& value) {
    const std::ptrdiff_t row_stride = std::ptrdiff_t(abi_.width) * layout.step + layout.row_padding;
    std::vector<std::uint8_t>& plane = planes_.emplace_back(std::size_t(row_stride) * abi_.height, 0xA5);
    for (std::uint32_t y = 0; y < view_.height; ++y)
      for (std::uint32_t x = 0; x < view_.width; ++x)
        plane[std::size_t((view_.y + y) * row_stride + (view_.x + x) * layout.step)] =
            std::uint8_t(value(x, y));
    return {plane.data(), row_stride, layout.step};
  }

  mash_view_t view_;
  mash_image_t abi_{};
  std::vector<std::vector<std::uint8_t>> planes_;
};

// The pixels of a picture of smooth blobs with some noise, each position and channel on its own: no two
// pixels need another's random number, so that a pixel has the same value in every layout.
inline Picture::Sample textured(std::uint64_t seed) {
  return [seed](std::uint32_t x, std::uint32_t y, std::uint32_t channel) {
    RandomStream noise(seed, "textured picture", (std::uint64_t(y) << 32) + x * 3 + channel);
    const std::uint32_t wave = (x * (3 + channel) + y * 5 + std::uint32_t(seed) * 7) % 64;
    return std::uint8_t((wave < 32 ? wave : 63 - wave) * 6 + noise.below(64));
  };
}

inline Picture::Sample flat(std::uint8_t value) {
  return [value](std::uint32_t, std::uint32_t, std::uint32_t) { return value; };
}

// Pixels of a grey picture given row by row.
inline Picture::Sample pixels(std::uint32_t width, std::vector<int> values) {
  return [width, values = std::move(values)](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return std::uint8_t(values[y * width + x]);
  };
}

// `value` at one pixel, 0 elsewhere.
inline Picture::Sample impulse(std::uint32_t at_x, std::uint32_t at_y, std::uint8_t value) {
  return [=](std::uint32_t x, std::uint32_t y, std::uint32_t) {
    return x == at_x && y == at_y ? value : std::uint8_t(0);
  };
}

}  // namespace mash
