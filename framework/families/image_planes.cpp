// SPDX-License-Identifier: Apache-2.0
#include "framework/families/image_planes.hpp"

#include <algorithm>
#include <cassert>

namespace mash {

std::size_t tile_capacity(const ImageShape& shape) {
  constexpr std::size_t kMaxImages = 64, kMaxBytes = std::size_t(1) << 18;
  return std::clamp(kMaxBytes / std::max<std::size_t>(shape.num_bytes(), 1), std::size_t(1), kMaxImages);
}

ImagePlanes::ImagePlanes(const ImageShape& shape, std::size_t capacity, std::size_t maps_kept)
    : shape_(shape), images_(capacity), maps_(images_, maps_kept) {
  for (mash_image_t& image : images_) {
    image.struct_size = sizeof(mash_image_t);
    image.num_channels = shape.num_channels;
    image.width = shape.width;
    image.height = shape.height;
  }
  if (shape.num_channels == 3) gray_.resize(capacity * shape.width * shape.height);
}

void ImagePlanes::clear() {
  num_images_ = 0;
  maps_.forget();
}

void ImagePlanes::add(std::span<const std::uint8_t> pixels) {
  assert(!is_full());
  const std::ptrdiff_t width = shape_.width;
  const std::size_t image_idx = num_images_++;
  mash_image_t& image = images_[image_idx];
  if (shape_.num_channels == 1) {
    image.gray = image.red = image.green = image.blue = {pixels.data(), width, 1};
    return;
  }
  const std::size_t num_pixels = std::size_t(shape_.width) * shape_.height;
  std::uint8_t* gray = gray_.data() + image_idx * num_pixels;
  for (std::size_t i = 0; i < num_pixels; ++i)
    gray[i] = std::uint8_t((11 * pixels[3 * i] + 16 * pixels[3 * i + 1] + 5 * pixels[3 * i + 2]) >> 5);
  image.gray = {gray, width, 1};
  image.red = {pixels.data(), 3 * width, 3};
  image.green = {pixels.data() + 1, 3 * width, 3};
  image.blue = {pixels.data() + 2, 3 * width, 3};
}

const mash_image_t& ImagePlanes::show(std::span<const std::uint8_t> pixels) {
  clear();
  add(pixels);
  return images_.front();
}

}  // namespace mash
