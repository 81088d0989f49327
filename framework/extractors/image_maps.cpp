// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/image_maps.hpp"

namespace mash {
namespace {

thread_local ImageMaps* newest = nullptr;

int sample(const mash_plane_t& plane, std::size_t x, std::size_t y) {
  return plane.origin[std::ptrdiff_t(y) * plane.row_stride + std::ptrdiff_t(x) * plane.column_stride];
}

}  // namespace

ImageMaps::ImageMaps(const mash_image_t& image) : image_(image), next_(newest) { newest = this; }

ImageMaps::~ImageMaps() {
  ImageMaps** place = &newest;
  while (*place != this) place = &(*place)->next_;
  *place = next_;
}

void ImageMaps::forget() { has_integrals_ = has_gradient_ = false; }

const mash_image_maps_t& ImageMaps::table() {
  static const mash_image_maps_t table{sizeof(mash_image_maps_t), 0, integral, integral_of_squares, gradient};
  return table;
}

ImageMaps* ImageMaps::of(const mash_image_t* image) {
  ImageMaps* maps = newest;
  while (maps != nullptr && &maps->image_ != image) maps = maps->next_;
  return maps;
}

const std::uint32_t* ImageMaps::integral(const mash_image_t* image) {
  ImageMaps* maps = of(image);
  if (maps == nullptr) return nullptr;
  maps->make_integrals();
  return maps->integral_.data();
}

const std::uint64_t* ImageMaps::integral_of_squares(const mash_image_t* image) {
  ImageMaps* maps = of(image);
  if (maps == nullptr) return nullptr;
  maps->make_integrals();
  return maps->squares_.data();
}

const std::int16_t* ImageMaps::gradient(const mash_image_t* image) {
  ImageMaps* maps = of(image);
  if (maps == nullptr) return nullptr;
  maps->make_gradient();
  return maps->gradient_.data();
}

void ImageMaps::make_integrals() {
  if (has_integrals_) return;
  const std::size_t width = image_.width, height = image_.height, row_size = width + 1;
  integral_.resize(row_size * (height + 1));
  squares_.resize(integral_.size());
  for (std::size_t y = 0; y < height; ++y) {
    const std::size_t above = y * row_size, here = above + row_size;
    std::uint32_t sum = 0;
    std::uint64_t sum_of_squares = 0;
    integral_[here] = 0;
    squares_[here] = 0;
    for (std::size_t x = 0; x < width; ++x) {
      const auto value = std::uint32_t(sample(image_.gray, x, y));
      integral_[here + x + 1] = integral_[above + x + 1] + (sum += value);
      squares_[here + x + 1] = squares_[above + x + 1] + (sum_of_squares += value * value);
    }
  }
  has_integrals_ = true;
}

void ImageMaps::make_gradient() {
  if (has_gradient_) return;
  const std::size_t width = image_.width, height = image_.height;
  gradient_.assign(2 * width * height, 0);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      std::int16_t* pair = &gradient_[2 * (y * width + x)];
      if (x > 0 && x + 1 < width)
        pair[0] = std::int16_t(sample(image_.gray, x + 1, y) - sample(image_.gray, x - 1, y));
      if (y > 0 && y + 1 < height)
        pair[1] = std::int16_t(sample(image_.gray, x, y + 1) - sample(image_.gray, x, y - 1));
    }
  has_gradient_ = true;
}

}  // namespace mash
