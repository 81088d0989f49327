// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/resize.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace mash {
namespace {

constexpr std::int64_t kMaxResizedSide = 4096;

// Shrinks the sides that are to shrink, then lets the others grow: OpenCV's area method is none for growing.
cv::Mat scaled(const cv::Mat& image, cv::Size size) {
  cv::Mat shrunk = image, grown;
  const cv::Size smaller(std::min(size.width, image.cols), std::min(size.height, image.rows));
  if (smaller != image.size()) cv::resize(image, shrunk, smaller, 0, 0, cv::INTER_AREA);
  if (smaller == size) return shrunk;
  cv::resize(shrunk, grown, size, 0, 0, cv::INTER_CUBIC);
  return grown;
}

int scaled_side(int side, double scale) { return std::max(1, int(std::lround(side * scale))); }

cv::Mat fitted(const cv::Mat& image, cv::Size size) {
  const double scale = std::min(double(size.width) / image.cols, double(size.height) / image.rows);
  const cv::Mat inner = scaled(image, {std::min(size.width, scaled_side(image.cols, scale)),
                                       std::min(size.height, scaled_side(image.rows, scale))});
  cv::Mat whole(size, image.type(), cv::Scalar::all(0));
  const cv::Rect place((size.width - inner.cols) / 2, (size.height - inner.rows) / 2, inner.cols, inner.rows);
  inner.copyTo(whole(place));
  return whole;
}

// The middle of the picture that has the proportions asked for, scaled.
cv::Mat cropped(const cv::Mat& image, cv::Size size) {
  const double scale = std::max(double(size.width) / image.cols, double(size.height) / image.rows);
  const int width = std::min(image.cols, scaled_side(size.width, 1 / scale));
  const int height = std::min(image.rows, scaled_side(size.height, 1 / scale));
  const cv::Rect middle((image.cols - width) / 2, (image.rows - height) / 2, width, height);
  return scaled(image(middle), size);
}

Result<std::uint32_t> read_side(Settings& settings, std::string_view key) {
  MASH_ASSIGN(const std::int64_t side, settings.integer(key, 0, 1, kMaxResizedSide));
  return std::uint32_t(side);
}

}  // namespace

Result<std::optional<Resize>> read_resize(Settings& settings) {
  Resize size;
  MASH_ASSIGN(const std::uint32_t both, read_side(settings, "resize"));
  MASH_ASSIGN(size.width, read_side(settings, "resize.width"));
  MASH_ASSIGN(size.height, read_side(settings, "resize.height"));
  MASH_ASSIGN(size.mode, settings.one_of("resize.mode", ResizeMode::kStretch, kResizeModes));
  for (const char* key : {"resize.width", "resize.height"})
    if (both != 0 && settings.has(key))
      MASH_TRY(settings.refuse(input_error("{}: found beside resize: {} ({}), expected one of them",
                                           settings.where(key), both, settings.where("resize"))));
  if (size.width == 0) size.width = size.height != 0 ? size.height : both;
  if (size.height == 0) size.height = size.width;
  if (size.width != 0) {
    settings.holds("resize", "0");
    settings.holds("resize.width", std::to_string(size.width));
    settings.holds("resize.height", std::to_string(size.height));
    return std::optional(size);
  }
  if (settings.has("resize.mode"))
    MASH_TRY(settings.refuse(
        input_error("{}: resize.mode: found no size beside it, expected resize.width and resize.height",
                    settings.where("resize.mode"))));
  return std::optional<Resize>();
}

DecodedImage resized(const DecodedImage& image, const Resize& size) {
  const cv::Size wanted(int(size.width), int(size.height));
  const cv::Mat pixels(int(image.shape.height), int(image.shape.width), CV_8UC3,
                       const_cast<std::uint8_t*>(image.pixels.data()));
  cv::Mat made;
  if (size.mode == ResizeMode::kFit)
    made = fitted(pixels, wanted);
  else if (size.mode == ResizeMode::kCrop)
    made = cropped(pixels, wanted);
  else
    made = scaled(pixels, wanted);
  DecodedImage result{{size.width, size.height, 3, 1, size.mode}, {}, image.is_grey};
  for (int y = 0; y < made.rows; ++y)
    result.pixels.insert(result.pixels.end(), made.ptr(y), made.ptr(y) + std::size_t(3) * size.width);
  return result;
}

}  // namespace mash
