// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/decoders/picture.hpp"

namespace mash {

// Decodes a BMP of Windows or OS/2: palettes of 1, 4 or 8 bits, plain or run-length encoded, and colours of
// 16, 24 or 32 bits with any masks. Errors (kInput): damaged; a JPEG, PNG or fax within; black_picture.
Result<Picture> decode_bmp(std::string_view bytes, const BeforePixels& before);

}  // namespace mash
