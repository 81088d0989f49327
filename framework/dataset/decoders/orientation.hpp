// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "framework/dataset/decoders/picture.hpp"

namespace mash {

// How a picture lies, as TIFF and EXIF number it: 1 is upright, 2 to 8 are turned or mirrored.
using Orientation = unsigned;

// The orientation that EXIF data give, with or without the mark "Exif" in front; 1 where they give none.
Orientation orientation_in(std::string_view exif);

// Puts a picture upright.
void turn_upright(Picture& picture, Orientation orientation);

}  // namespace mash
