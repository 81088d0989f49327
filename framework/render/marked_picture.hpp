// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/render/html.hpp"

namespace mash {

// A rectangle of pixels with its weight in [-1, 1]: above 0 in one colour, below 0 in another, the stronger
// the larger.
struct PictureMark {
  std::uint32_t x = 0, y = 0, width = 0, height = 0;
  double weight = 0;
};

// A picture and what it is, for those who cannot see it. id: as of svg::open.
struct PictureToMark {
  std::span<const std::uint8_t> pixels;  // shape.num_bytes() of them, laid out as in Split
  const ImageShape& shape;
  std::string_view id, title, description;
};

// The picture as an SVG that needs nothing else, with the marks above it. Errors: the encoder's own.
Result<Html> marked_picture(const PictureToMark& picture, std::span<const PictureMark> marks);

}  // namespace mash
