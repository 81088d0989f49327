// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/dataset/decoders/picture.hpp"

namespace mash {

// Decodes the portable maps of Netpbm: PBM, PGM and PPM, as text and binary, and PAM; of several pictures in
// a file the first. Errors (kInput): damaged; black_picture.
Result<Picture> decode_pnm(std::string_view bytes, const BeforePixels& before);

}  // namespace mash
