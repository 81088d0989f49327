// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "framework/dataset/decoders/picture.hpp"

namespace mash {

// The formats that are decoded, for messages.
inline constexpr std::string_view kDecodedFormats = "PNG, JPEG, BMP, PPM, PGM, TIFF or WebP";

// Whether a file that begins with these bytes, some 20 at least, is a picture of one of these formats, and no
// text that happens to begin with the same letters.
bool begins_as_picture(std::string_view bytes);

// Decodes a picture of any of these formats, which its first bytes tell. Errors (kInput): those of its
// decoder; bytes that are none of these, with the name of what they are where that is known.
Result<Picture> decode_picture(std::string_view bytes, const BeforePixels& before);

}  // namespace mash
