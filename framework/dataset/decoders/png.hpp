// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/decoders/picture.hpp"

namespace mash {

// Decodes a PNG of any kind; of an animated one the picture that programs without animation show. Turned as
// its EXIF data say, in their chunk or in ImageMagick's text. Errors (kInput): a wrong checksum in any chunk
// or another fault; black_picture.
Result<Picture> decode_png(std::string_view bytes, const BeforePixels& before);

}  // namespace mash
