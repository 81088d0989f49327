// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/decoders/picture.hpp"

namespace mash {

// Decodes a JPEG: grey, colour or of four inks (as Adobe stores them), turned as its EXIF data say. Bytes
// behind its end are left alone (films of telephones, further pictures of stereo cameras). Errors (kInput):
// damaged, where libjpeg as much as warns, since it goes on with grey; 12 bits a channel and other kinds that
// libjpeg does not decode; black_picture.
Result<Picture> decode_jpeg(std::string_view bytes, const BeforePixels& before);

}  // namespace mash
