// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "framework/checks/guarded_memory.hpp"
#include "mash/abi/image.h"

namespace mash::checks {

// The pixels of a picture, apart from how it lies in memory: interleaved samples of 1 or 3 channels.
struct Pixels {
  mash_size_t size{};
  std::uint32_t num_channels = 1;
  std::vector<std::uint8_t> samples;

  std::uint8_t at(std::uint32_t x, std::uint32_t y, std::uint32_t channel) const {
    return samples[(std::size_t(y) * size.width + x) * num_channels + (num_channels == 1 ? 0 : channel)];
  }
};

// Smooth waves with noise on them: no two neighbours alike, nothing constant.
Pixels textured(std::uint64_t seed, std::uint64_t index, mash_size_t size, std::uint32_t num_channels);
Pixels noise(std::uint64_t seed, mash_size_t size, std::uint32_t num_channels);
Pixels flat(std::uint8_t value, mash_size_t size);
using Rgb = std::array<std::uint8_t, 3>;
Pixels two_colours(const Rgb& left_half, const Rgb& right_half, mash_size_t size);
Pixels checkerboard(std::uint32_t cell, mash_size_t size);
// White where is_white(x, y), else black.
Pixels two_valued(mash_size_t size, const std::function<bool(std::uint32_t x, std::uint32_t y)>& is_white);
// A rendered digit of the generated data set; the example's number decides which.
Pixels digit(std::uint64_t seed, std::size_t example_idx, mash_size_t size);
// The same picture with three equal channels. REQUIRES: one channel.
Pixels as_colour(const Pixels& gray);

// How a picture lies in memory: the image around the view, the bytes between neighbours.
struct Layout {
  std::uint32_t left = 0, top = 0, right = 0, bottom = 0;  // pixels of the image outside the view
  std::uint32_t column_stride = 1;                         // bytes
  std::uint32_t row_padding = 0;                           // bytes after each row but the last
  std::uint32_t misalignment = 0;                          // bytes before the first sample
};

// Whether the planes, or each row of them, lie at the border of forbidden pages; kReadOnly: in pages that can
// be made read-only, with others around them.
enum class Fence { kNone, kReadOnly, kBefore, kAfter, kBeforeRows, kAfterRows };

// A picture to be shown to a heuristic, and how.
class Picture {
 public:
  explicit Picture(Pixels pixels, const Layout& layout = {}, Fence fence = Fence::kNone)
      : pixels_(std::move(pixels)), layout_(layout), fence_(fence) {}

  const Pixels& pixels() const { return pixels_; }
  const Layout& layout() const { return layout_; }
  Fence fence() const { return fence_; }
  bool is_read_only() const { return is_read_only_; }
  mash_size_t size() const { return pixels_.size; }
  // A heuristic that writes to its picture will crash. REQUIRES: a fence.
  void forbid_writing() { is_read_only_ = true; }

 private:
  Pixels pixels_;
  Layout layout_;
  Fence fence_;
  bool is_read_only_ = false;
};

// An image in this process and a view of it, as a heuristic gets them. What lies outside the view, and
// between the samples, is filled with other values. A fence of the rows takes the layout's sizes and leaves
// its strides.
class LaidOutPicture {
 public:
  explicit LaidOutPicture(const Picture& picture);

  const mash_image_t& image() const { return image_; }
  const mash_view_t& view() const { return view_; }
  mash_size_t size() const { return {view_.width, view_.height}; }

 private:
  // Memory for the image's samples: of the plain layout, or of rows with a fence each.
  mash_plane_t allocate(const Layout& layout, Fence fence, const char* name);

  mash_image_t image_{};
  mash_view_t view_{};
  std::vector<std::vector<std::uint8_t>> plain_;
  std::vector<std::unique_ptr<GuardedMemory>> guarded_;
};

}  // namespace mash::checks
