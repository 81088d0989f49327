// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/image_file.hpp"

#include <algorithm>
#include <array>

#include "framework/base/lower_case.hpp"
#include "framework/dataset/decoders/formats.hpp"

namespace mash {

bool has_image_extension(const std::filesystem::path& path) {
  static constexpr std::array<std::string_view, 10> kExtensions{".png", ".jpg", ".jpeg", ".bmp",  ".ppm",
                                                                ".pgm", ".pnm", ".tif",  ".tiff", ".webp"};
  const std::string extension = in_lower_case(path.extension().string());
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

Result<DecodedImage> decode_image(const LoadedSource& source,
                                  const std::function<void(std::uint64_t num_pixels)>& before) {
  Result<Picture> picture = decode_picture(source.bytes, before);
  if (!picture.ok()) return picture.error().at(source.place());
  return DecodedImage{{picture->width, picture->height, 3}, std::move(picture->pixels), picture->is_grey};
}

void to_grey(std::span<const std::uint8_t> rgb, std::span<std::uint8_t> grey) {
  for (std::size_t i = 0; i < grey.size(); ++i)
    grey[i] =
        std::uint8_t((299u * rgb[3 * i] + 587u * rgb[3 * i + 1] + 114u * rgb[3 * i + 2] + 500u) / 1000u);
}

}  // namespace mash
