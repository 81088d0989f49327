// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/source.hpp"

namespace mash {

// A decoded picture: three channels (red, green, blue), 8 bit, rows top down, channels interleaved.
struct DecodedImage {
  ImageShape shape;
  std::vector<std::uint8_t> pixels;
  bool is_grey = false;  // the file itself had one channel; the three are equal
};

// Whether the name's extension is that of a picture we decode.
bool has_image_extension(const std::filesystem::path& path);

// Decodes PNG, JPEG, BMP, PPM/PGM, TIFF or WebP, whichever the content says. 16 bits (and the levels of a PPM
// or PGM, however many) are scaled to 0..255 and rounded, an alpha channel is dropped, palettes are looked
// up, the orientation that EXIF data give is applied. Errors: kInput when it is none of these, damaged,
// truncated or larger than 16384 pixels a side.
Result<DecodedImage> decode_image(const LoadedSource& source);

// The first channel of pixels whose three are equal, or the luminance 0.299 R + 0.587 G + 0.114 B, rounded.
// REQUIRES: rgb.size() = 3 grey.size(). Both may begin at one place.
void to_grey(std::span<const std::uint8_t> rgb, std::span<std::uint8_t> grey);

}  // namespace mash
