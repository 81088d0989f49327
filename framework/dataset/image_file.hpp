// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
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
  bool is_grey = false;  // the file itself had one colour channel or a palette of greys; the three are equal
};

// Whether the name's extension is that of a picture we decode.
bool has_image_extension(const std::filesystem::path& path);

// Decodes PNG, JPEG, BMP, the portable maps (PPM, PGM, PBM, PAM), TIFF or WebP, whichever the content says.
// Levels of another depth than 8 bits are scaled to 0..255 and rounded, an alpha channel is dropped, palettes
// are looked up, the orientation that EXIF data give is applied. before: told the number of pixels of the
// picture before memory is taken for them. Errors: kInput, with the name of the file, when it is none of
// these, of a kind of them that is not read, damaged, truncated or larger than 16384 pixels a side. Nothing
// is written to stderr.
Result<DecodedImage> decode_image(const LoadedSource& source,
                                  const std::function<void(std::uint64_t num_pixels)>& before = {});

// The first channel of pixels whose three are equal, or the luminance 0.299 R + 0.587 G + 0.114 B, rounded.
// REQUIRES: rgb.size() = 3 grey.size(). Both may begin at one place.
void to_grey(std::span<const std::uint8_t> rgb, std::span<std::uint8_t> grey);

}  // namespace mash
