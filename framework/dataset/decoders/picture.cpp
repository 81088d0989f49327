// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/picture.hpp"

#include <cctype>
#include <string>

namespace mash {
namespace {

constexpr std::uint64_t kMaxPictureSide = 16384;

}  // namespace

Result<Picture> black_picture(std::uint64_t width, std::uint64_t height, const BeforePixels& before) {
  if (width == 0 || height == 0)
    return input_error("found a picture of {}x{}, expected at least one pixel a side", width, height);
  if (width > kMaxPictureSide || height > kMaxPictureSide)
    return input_error("found a picture of {}x{}, expected at most {} pixels a side", width, height,
                       kMaxPictureSide);
  if (before) before(width * height);
  return Picture{std::uint32_t(width), std::uint32_t(height), false,
                 std::vector<std::uint8_t>(3 * width * height)};
}

Error damaged(std::string_view format, std::string_view reason) {
  std::string shown(reason);  // libraries may quote the file
  for (char& c : shown)
    if (!std::isprint(static_cast<unsigned char>(c))) c = '.';
  return input_error("the {} file is damaged or truncated ({})", format, shown);
}

Error not_read(std::string_view format, std::string_view kind) {
  return input_error("found a {} file of a kind that is not read: {}; convert it, to PNG for instance",
                     format, kind);
}

}  // namespace mash
