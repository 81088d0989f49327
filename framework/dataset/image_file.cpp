// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/image_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

namespace mash {
namespace {

constexpr int kMaxSide = 16384;
constexpr std::size_t kJpegTail = 4096;  // some cameras write a little behind the end of the picture

// libjpeg fills what is missing with grey and goes on, so a cut file must be seen here.
bool is_cut_jpeg(std::string_view bytes) {
  if (!bytes.starts_with("\xff\xd8")) return false;
  const std::string_view tail = bytes.substr(bytes.size() - std::min(bytes.size(), kJpegTail));
  return tail.rfind("\xff\xd9") == std::string_view::npos;
}

// OpenCV allocates the size that a PNG claims before it sees whether the data are there.
bool is_huge_png(std::string_view bytes) {
  if (!bytes.starts_with("\x89PNG") || bytes.size() < 24) return false;
  const auto side = [&](std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::uint8_t(bytes[offset + i]);
    return value;
  };
  return side(16) > std::uint32_t(kMaxSide) || side(20) > std::uint32_t(kMaxSide);
}

// OpenCV reports some damage by exceptions and some by an empty matrix.
cv::Mat decode(const std::string& bytes) {
  try {
    const cv::Mat packed(1, int(bytes.size()), CV_8U, const_cast<char*>(bytes.data()));
    return cv::imdecode(packed, cv::IMREAD_ANYCOLOR);
  } catch (const std::exception&) {
    return {};
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
  if (source.bytes.size() > kMaxBytes || is_huge_png(source.bytes))
    return input_error("{}: the image is too large, expected at most {} pixels a side", source.place(),
                       kMaxSide);
  if (is_cut_jpeg(source.bytes))
    return input_error("{}: byte {}: the JPEG file is truncated", source.place(), source.bytes.size());
  const cv::Mat image = decode(source.bytes);
  if (image.empty() || image.depth() != CV_8U || (image.channels() != 1 && image.channels() != 3))
    return input_error("{}: damaged or no image, expected PNG, JPEG, BMP, PPM, PGM, TIFF or WebP",
                       source.place());
  if (image.cols > kMaxSide || image.rows > kMaxSide)
    return input_error("{}: found an image of {}x{}, expected at most {} pixels a side", source.place(),
                       image.cols, image.rows, kMaxSide);
  DecodedImage decoded{{std::uint32_t(image.cols), std::uint32_t(image.rows), 3}, {}, image.channels() == 1};
  decoded.pixels.reserve(decoded.shape.num_bytes());
  for (int y = 0; y < image.rows; ++y) {
    const std::uint8_t* row = image.ptr(y);
    for (int x = 0; x < image.cols; ++x)
      for (int channel = 0; channel < 3; ++channel)  // OpenCV's order is blue, green, red
        decoded.pixels.push_back(decoded.is_grey ? row[x] : row[3 * x + 2 - channel]);
  }
  return decoded;
}

std::vector<std::uint8_t> to_grey(const std::vector<std::uint8_t>& rgb) {
  std::vector<std::uint8_t> grey(rgb.size() / 3);
  for (std::size_t i = 0; i < grey.size(); ++i)
    grey[i] =
        std::uint8_t((299u * rgb[3 * i] + 587u * rgb[3 * i + 1] + 114u * rgb[3 * i + 2] + 500u) / 1000u);
  return grey;
}

}  // namespace mash
