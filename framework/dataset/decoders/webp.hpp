// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/decoders/picture.hpp"

namespace mash {

// Decodes a WebP, of an animated one the first picture, turned as its EXIF data say. Errors (kInput):
// damaged; black_picture.
Result<Picture> decode_webp(std::string_view bytes, const BeforePixels& before);

}  // namespace mash
