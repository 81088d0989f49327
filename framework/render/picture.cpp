// SPDX-License-Identifier: Apache-2.0
#include "framework/render/picture.hpp"

#include <png.h>

#include <string_view>

#include "framework/base/base64.hpp"

namespace mash {

Result<std::string> png_bytes(std::span<const std::uint8_t> pixels, const ImageShape& shape) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = shape.width;
  image.height = shape.height;
  image.format = shape.num_channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  std::string png(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t num_bytes = png.size();
  const bool is_empty = shape.num_bytes() == 0;
  if (is_empty || !png_image_write_to_memory(&image, png.data(), &num_bytes, 0, pixels.data(), 0, nullptr))
    return failure("a picture of {}x{} pixels cannot be encoded as PNG: {}", shape.width, shape.height,
                   is_empty ? "it is empty" : image.message);
  png.resize(num_bytes);
  return png;
}

Result<std::string> png_data_uri(std::span<const std::uint8_t> pixels, const ImageShape& shape) {
  MASH_ASSIGN(const std::string png, png_bytes(pixels, shape));
  return "data:image/png;base64," + base64(png);
}

}  // namespace mash
