// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/decoders/picture.hpp"

namespace mash {

// Decodes a TIFF, of several pages the first: greys, palettes, colours and four inks of 1 to 16 bits a
// channel, in strips or tiles, channels together or apart, with any compression that libtiff has; turned as
// it says. Colours that were multiplied by an alpha channel are divided by it. Errors (kInput): damaged,
// where libtiff as much as warns of the pixels; signed numbers, fractions, more than 16 bits and other colour
// spaces; black_picture.
Result<Picture> decode_tiff(std::string_view bytes, const BeforePixels& before);

}  // namespace mash
