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

// A test image with what there is to say of it.
struct GalleryPicture {
  std::size_t example_idx = 0;
  std::string description;  // for those who cannot see it
  Html caption;
};

// <img> of a test image. Errors: the encoder's own. REQUIRES: `dataset` has images.
Result<Html> picture_of(std::size_t example_idx, std::string_view description, const Dataset& dataset);
// Pictures side by side. Errors and REQUIRES: those of picture_of.
Result<page::Piece> gallery(std::span<const GalleryPicture> pictures, const Dataset& dataset);

}  // namespace mash
