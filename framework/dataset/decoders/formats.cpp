// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/formats.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "framework/dataset/decoders/bmp.hpp"
#include "framework/dataset/decoders/jpeg.hpp"
#include "framework/dataset/decoders/other_formats.hpp"
#include "framework/dataset/decoders/png.hpp"
#include "framework/dataset/decoders/pnm.hpp"
#include "framework/dataset/decoders/tiff.hpp"
#include "framework/dataset/decoders/webp.hpp"

namespace mash {
namespace {

using namespace std::string_view_literals;

struct Format {
  bool (*has_begun)(std::string_view bytes);
  Result<Picture> (*decode)(std::string_view bytes, const BeforePixels& before);
};

bool begins_as_tiff(std::string_view bytes) {
  constexpr std::array kMarks{"II*\0"sv, "MM\0*"sv, "II+\0"sv, "MM\0+"sv};  // + in files of more than 4 GiB
  return std::ranges::any_of(kMarks, [&](std::string_view mark) { return bytes.starts_with(mark); });
}

bool begins_as_pnm(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '7' &&
         (std::isspace(static_cast<unsigned char>(bytes[2])) || bytes[2] == '#');
}

bool begins_as_webp(std::string_view bytes) {
  return bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP");
}

constexpr std::array kFormats{
    Format{[](std::string_view bytes) { return bytes.starts_with("\xff\xd8"); }, decode_jpeg},
    Format{[](std::string_view bytes) { return bytes.starts_with("\x89PNG"); }, decode_png},
    Format{[](std::string_view bytes) { return bytes.starts_with("BM"); }, decode_bmp},
    Format{begins_as_pnm, decode_pnm},
    Format{begins_as_tiff, decode_tiff},
    Format{begins_as_webp, decode_webp},
};

// The beginning of the file, for an error.
std::string beginning_of(std::string_view bytes) {
  std::string shown;
  for (const char c : bytes.substr(0, 12)) shown += std::isprint(static_cast<unsigned char>(c)) ? c : '.';
  return shown;
}

Error no_picture(std::string_view bytes) {
  if (const std::string_view other = other_format_of(bytes); !other.empty())
    return input_error(
        "found '{}' at its beginning, which is no picture of a kind that is read ({}); expected {}: convert "
        "it, to PNG for instance",
        beginning_of(bytes), other, kDecodedFormats);
  return input_error(
      "found '{}' at its beginning, which is no picture (damaged or of another kind), expected {}",
      beginning_of(bytes), kDecodedFormats);
}

}  // namespace

bool begins_as_picture(std::string_view bytes) {
  if (bytes.starts_with("BM")) {  // a file has its header's size here, which is below 128
    constexpr std::size_t kHeaderSize = 14;
    return bytes.size() > kHeaderSize + 4 && bytes.substr(kHeaderSize + 1, 3) == "\0\0\0"sv &&
           std::uint8_t(bytes[kHeaderSize]) < 128;
  }
  if (begins_as_pnm(bytes)) {
    const std::size_t next = bytes.find_first_not_of(" \t\r\n", 2);
    constexpr std::string_view kNext = "#0123456789WH";  // a remark, a width, or a key of PAM
    return next != bytes.npos && kNext.find(bytes[next]) != kNext.npos;
  }
  return std::ranges::any_of(kFormats, [&](const Format& format) { return format.has_begun(bytes); });
}

Result<Picture> decode_picture(std::string_view bytes, const BeforePixels& before) {
  for (const Format& format : kFormats)
    if (format.has_begun(bytes)) return format.decode(bytes, before);
  return no_picture(bytes);
}

}  // namespace mash
