// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/image_file.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <new>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "framework/dataset/image_header.hpp"

namespace mash {
namespace {

constexpr int kMaxPictureSide = 16384;
constexpr std::size_t kJpegTail = 4096;  // some cameras write a little behind the end of the picture

// libjpeg fills what is missing with grey and goes on, so a cut file must be seen here.
bool is_cut_jpeg(std::string_view bytes) {
  if (!bytes.starts_with("\xff\xd8")) return false;
  const std::string_view tail = bytes.substr(bytes.size() - std::min(bytes.size(), kJpegTail));
  return tail.rfind("\xff\xd9") == std::string_view::npos;
}

// libpng prints a line of its own on what is cut or has a wrong checksum, so both must be seen here.
bool is_damaged_png(std::string_view bytes) {
  if (!bytes.starts_with("\x89PNG")) return false;
  const auto number = [&](std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::uint8_t(bytes[offset + i]);
    return value;
  };
  std::size_t offset = 8;  // of a chunk: its length, type, data, checksum
  while (bytes.size() >= offset + 12) {
    const std::size_t length = number(offset);
    if (length > bytes.size() - offset - 12) return true;
    const std::string_view checked = bytes.substr(offset + 4, 4 + length);
    if (crc32(0, reinterpret_cast<const Bytef*>(checked.data()), uInt(checked.size())) !=
        number(offset + 8 + length))
      return true;
    if (checked.starts_with("IEND")) return false;
    offset += 12 + length;
  }
  return true;
}

// OpenCV reports some damage by exceptions and some by an empty matrix. Throws std::bad_alloc: want of memory
// is no damage.
cv::Mat decode(const std::string& bytes) {
  try {
    const cv::Mat packed(1, int(bytes.size()), CV_8U, const_cast<char*>(bytes.data()));
    return cv::imdecode(packed, cv::IMREAD_ANYCOLOR | cv::IMREAD_ANYDEPTH);
  } catch (const cv::Exception& exception) {
    if (exception.code == cv::Error::StsNoMem) throw std::bad_alloc();
    return {};
  }
}

// The value that stands for white. OpenCV scales the levels of a PPM or PGM written as text with at most 8
// bits, but not those of the others.
std::uint32_t white_of(const cv::Mat& image, const std::optional<ImageHeader>& header, char variant) {
  const bool is_deep = image.depth() == CV_16U;
  if (!header || header->format != "PNM") return is_deep ? 65535 : 255;
  const bool is_binary = variant == '5' || variant == '6';
  return is_deep || is_binary ? header->white : 255;
}

// The beginning of the file, for an error.
std::string beginning_of(std::string_view bytes) {
  std::string shown;
  for (const char c : bytes.substr(0, 12)) shown += std::isprint(static_cast<unsigned char>(c)) ? c : '.';
  return shown;
}

Error no_image(const LoadedSource& source, const std::optional<ImageHeader>& header) {
  if (header) return input_error("{}: the {} file is damaged or truncated", source.place(), header->format);
  return input_error(
      "{}: found '{}' at its beginning, which is no picture (damaged or of another kind), "
      "expected PNG, JPEG, BMP, PPM, PGM, TIFF or WebP",
      source.place(), beginning_of(source.bytes));
}

// OpenCV's order is blue, green, red; a grey image has one channel.
template <class Level>
void copy_pixels(const cv::Mat& image, std::uint32_t white, std::vector<std::uint8_t>& pixels) {
  const int num_channels = image.channels();
  for (int y = 0; y < image.rows; ++y) {
    const Level* row = image.ptr<Level>(y);
    for (int x = 0; x < image.cols; ++x)
      for (int channel = 0; channel < 3; ++channel) {
        const std::uint32_t level = row[num_channels == 1 ? x : 3 * x + 2 - channel];
        const std::uint32_t scaled = white == 255 ? level : (level * 255 + white / 2) / white;
        pixels.push_back(std::uint8_t(std::min(scaled, 255u)));
      }
  }
}

}  // namespace

bool has_image_extension(const std::filesystem::path& path) {
  static constexpr std::array<std::string_view, 10> kExtensions{".png", ".jpg", ".jpeg", ".bmp",  ".ppm",
                                                                ".pgm", ".pnm", ".tif",  ".tiff", ".webp"};
  std::string extension = path.extension().string();
  for (char& c : extension) c = char(std::tolower(static_cast<unsigned char>(c)));
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

Result<DecodedImage> decode_image(const LoadedSource& source) {
  constexpr std::size_t kMaxBytes = std::size_t(1) << 30;  // OpenCV counts them in an int
  const std::optional<ImageHeader> header = read_image_header(source.bytes);
  if (header && (header->width > kMaxPictureSide || header->height > kMaxPictureSide))
    return input_error("{}: found a picture of {}x{}, expected at most {} pixels a side", source.place(),
                       header->width, header->height, kMaxPictureSide);
  // Its size is unknown until decoded: it may be huge.
  if (!header && begins_as_picture(source.bytes)) return no_image(source, header);
  if (source.bytes.size() > kMaxBytes)
    return input_error("{}: found {} bytes, expected at most {}", source.place(), source.bytes.size(),
                       kMaxBytes);
  if (is_cut_jpeg(source.bytes))
    return input_error("{}: byte {}: the JPEG file is truncated", source.place(), source.bytes.size());
  if (is_damaged_png(source.bytes)) return no_image(source, header);
  const cv::Mat image = decode(source.bytes);
  if (image.empty() || (image.channels() != 1 && image.channels() != 3)) return no_image(source, header);
  if (image.depth() != CV_8U && image.depth() != CV_16U)
    return input_error("{}: found pixels that are no whole numbers, expected 8 or 16 bits a channel",
                       source.place());
  if (image.cols > kMaxPictureSide || image.rows > kMaxPictureSide)
    return input_error("{}: found a picture of {}x{}, expected at most {} pixels a side", source.place(),
                       image.cols, image.rows, kMaxPictureSide);
  DecodedImage decoded{{std::uint32_t(image.cols), std::uint32_t(image.rows), 3}, {}, image.channels() == 1};
  decoded.pixels.reserve(decoded.shape.num_bytes());
  const std::uint32_t white = white_of(image, header, source.bytes[1]);
  if (image.depth() == CV_16U)
    copy_pixels<std::uint16_t>(image, white, decoded.pixels);
  else
    copy_pixels<std::uint8_t>(image, white, decoded.pixels);
  return decoded;
}

void to_grey(std::span<const std::uint8_t> rgb, std::span<std::uint8_t> grey) {
  for (std::size_t i = 0; i < grey.size(); ++i)
    grey[i] =
        std::uint8_t((299u * rgb[3 * i] + 587u * rgb[3 * i + 1] + 114u * rgb[3 * i + 2] + 500u) / 1000u);
}

}  // namespace mash
