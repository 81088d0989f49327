// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/decoders/other_formats.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace mash {
namespace {

using namespace std::string_view_literals;

struct OtherFormat {
  std::size_t offset = 0;
  std::string_view mark;  // the bytes there
  std::string_view name;
};

// The first that fits counts: marks that begin as another one stand in front of it.
constexpr std::array kOtherFormats{
    OtherFormat{0, "GIF8"sv, "a GIF"},
    OtherFormat{0, "\x8aMNG"sv, "an MNG"},
    OtherFormat{0, "\x8bJNG"sv, "a JNG"},
    OtherFormat{0, "\0\0\0\x0cjP  "sv, "a JPEG 2000"},
    OtherFormat{0, "\xff\x4f\xff\x51"sv, "a JPEG 2000"},
    OtherFormat{0, "\0\0\0\x0cJXL "sv, "a JPEG XL"},
    OtherFormat{0, "\xff\x0a"sv, "a JPEG XL"},
    OtherFormat{0, "II\xbc"sv, "a JPEG XR"},
    OtherFormat{4, "ftypavi"sv, "an AVIF"},
    OtherFormat{4, "ftyphe"sv, "a HEIC"},
    OtherFormat{4, "ftypmif1"sv, "a HEIF"},
    OtherFormat{4, "ftypmsf1"sv, "a HEIF"},
    OtherFormat{4, "ftypcrx"sv, "a raw photo of Canon"},
    OtherFormat{4, "ftyp"sv, "a film"},
    OtherFormat{0, "\x1a\x45\xdf\xa3"sv, "a film"},
    OtherFormat{8, "AVI "sv, "a film"},
    OtherFormat{0, "8BPS"sv, "a Photoshop document"},
    OtherFormat{0, "gimp xcf"sv, "a GIMP document"},
    OtherFormat{0, "\0\0\1\0"sv, "an icon (ICO)"},
    OtherFormat{0, "\0\0\2\0"sv, "a cursor (CUR)"},
    OtherFormat{0, "icns"sv, "an icon (ICNS)"},
    OtherFormat{0, "v/1\x01"sv, "an OpenEXR"},
    OtherFormat{0, "#?R"sv, "a Radiance HDR"},
    OtherFormat{0, "PF\n"sv, "a portable float map (PFM)"},
    OtherFormat{0, "Pf\n"sv, "a portable float map (PFM)"},
    OtherFormat{0, "qoif"sv, "a QOI"},
    OtherFormat{0, "DDS "sv, "a DDS"},
    OtherFormat{0, "\x59\xa6\x6a\x95"sv, "a Sun raster"},
    OtherFormat{0, "\x01\xda"sv, "an SGI picture"},
    OtherFormat{128, "DICM"sv, "a DICOM"},
    OtherFormat{0, "SIMPLE  ="sv, "a FITS"},
    OtherFormat{0, "FUJIFILMCCD-RAW"sv, "a raw photo of Fujifilm"},
    OtherFormat{0, "IIRO"sv, "a raw photo of Olympus"},
    OtherFormat{0, "IIU\0"sv, "a raw photo of Panasonic"},
    OtherFormat{0, "\xd7\xcd\xc6\x9a"sv, "a Windows metafile (WMF)"},
    OtherFormat{0, "%PDF"sv, "a PDF"},
    OtherFormat{0, "%!PS"sv, "PostScript"},
    OtherFormat{0, "AT&TFORM"sv, "a DjVu"},
    OtherFormat{0, "\x93NUMPY"sv, "a NumPy array"},
    OtherFormat{0, "\x89HDF"sv, "an HDF5"},
    OtherFormat{0, "PK\x03\x04"sv, "a ZIP archive"},
    OtherFormat{0, "\0\5\x16\7"sv, "what macOS keeps beside a file of the same name (AppleDouble)"},
    OtherFormat{0, "version https://git-lfs"sv, "what Git LFS keeps in place of a file: git lfs pull"},
};

// Text that has an element <svg> near its beginning.
bool is_svg(std::string_view bytes) {
  const auto text = std::ranges::find_if_not(
      bytes, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  return text != bytes.end() && *text == '<' && bytes.substr(0, 1024).find("<svg") != std::string_view::npos;
}

}  // namespace

std::string_view other_format_of(std::string_view bytes) {
  for (const OtherFormat& format : kOtherFormats)
    if (bytes.size() > format.offset && bytes.substr(format.offset).starts_with(format.mark))
      return format.name;
  return is_svg(bytes) ? "an SVG"sv : ""sv;
}

}  // namespace mash
