// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/settings.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/image_file.hpp"

namespace mash {

// The size that all pictures are brought to.
struct Resize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  ResizeMode mode = ResizeMode::kStretch;
};

// The keys `resize` ("64": a square), or `resize.width`, `resize.height` (one of them: a square) and
// `resize.mode`. Nothing where none is given.
// Errors (kInput): a side that is not from 1 to 4096, an unknown mode, a mode without a size.
Result<std::optional<Resize>> read_resize(Settings& settings);

// The picture in that size, three channels: the mean of an area where a side shrinks, cubic interpolation
// where it grows (scaling.hpp); black beside a picture that is fitted in.
DecodedImage resized(const DecodedImage& image, const Resize& size);

}  // namespace mash
