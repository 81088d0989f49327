// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mash {

// Format and size of a picture, by its first bytes.
struct ImageHeader {
  std::string_view format;  // "PNG"
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::uint32_t white = 255;  // PPM and PGM: the largest value
};

// Reads the header of a PNG, JPEG, BMP, PPM/PGM/PBM or TIFF file; nothing where the bytes are none of these
// or are cut before the size. A decoder allocates what a header claims before it sees whether the pixels are
// there.
std::optional<ImageHeader> read_image_header(std::string_view bytes);

// Whether the bytes begin as those of one of these formats do.
bool begins_as_picture(std::string_view bytes);

}  // namespace mash
