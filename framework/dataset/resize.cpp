// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/resize.hpp"

#include "framework/base/scaling.hpp"

namespace mash {
namespace {

constexpr std::int64_t kMaxResizedSide = 4096;

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
  const RgbView view{image.pixels.data(), std::ptrdiff_t(3) * image.shape.width, image.shape.width,
                     image.shape.height};
  const auto scaled = size.mode == ResizeMode::kFit    ? fitted
                      : size.mode == ResizeMode::kCrop ? cropped
                                                       : stretched;
  return {{size.width, size.height, 3, 1, size.mode},
          scaled(view, size.width, size.height).pixels,
          image.is_grey};
}

}  // namespace mash
