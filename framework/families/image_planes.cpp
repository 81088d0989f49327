// SPDX-License-Identifier: Apache-2.0
#include "framework/families/image_planes.hpp"

namespace mash {

ImagePlanes::ImagePlanes(const ImageShape& shape) : shape_(shape), image_{} {
  image_.struct_size = sizeof(mash_image_t);
  image_.num_channels = shape.num_channels;
  image_.width = shape.width;
  image_.height = shape.height;
  if (shape.num_channels == 3) gray_.resize(std::size_t(shape.width) * shape.height);
}

const mash_image_t& ImagePlanes::show(std::span<const std::uint8_t> pixels) {
  maps_.forget();
  const std::ptrdiff_t width = shape_.width;
  if (shape_.num_channels == 1) {
    image_.gray = image_.red = image_.green = image_.blue = {pixels.data(), width, 1};
    return image_;
  }
  for (std::size_t i = 0; i < gray_.size(); ++i)
    gray_[i] = std::uint8_t((11 * pixels[3 * i] + 16 * pixels[3 * i + 1] + 5 * pixels[3 * i + 2]) >> 5);
  image_.gray = {gray_.data(), width, 1};
  image_.red = {pixels.data(), 3 * width, 3};
  image_.green = {pixels.data() + 1, 3 * width, 3};
  image_.blue = {pixels.data() + 2, 3 * width, 3};
  return image_;
}

}  // namespace mash
