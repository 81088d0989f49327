// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/render/page.hpp"

namespace mash {

// An image with what there is to say of it.
struct GalleryPicture {
  std::size_t example_idx = 0;
  std::string description;  // for those who cannot see it
  Html caption;
  std::string name = {};  // of its file, where it is known
};

// Whose images they are.
struct GallerySide {
  const Split& images;
  const ImageShape& shape;
  std::string_view noun;  // "test image"
};
// Pictures side by side. Errors: the encoder's own. REQUIRES: the side has images.
Result<page::Piece> gallery(std::span<const GalleryPicture> pictures, const GallerySide& side);

}  // namespace mash
