// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/image_maps.hpp"

#include <new>

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

void ImageMaps::forget() { has_integral_ = has_squares_ = has_gradient_ = false; }

const mash_image_maps_t& ImageMaps::table() {
  static const mash_image_maps_t table{sizeof(mash_image_maps_t), 0, integral, integral_of_squares, gradient};
  return table;
}

ImageMaps* ImageMaps::of(const mash_image_t* image) {
  ImageMaps* maps = newest;
  while (maps != nullptr && &maps->image_ != image) maps = maps->next_;
  return maps;
}

// Of an image, or null. No exception may reach a plugin.
template <class T, class Make>
const T* ImageMaps::made(const mash_image_t* image, std::vector<T> ImageMaps::*map,
                         const Make& make) noexcept {
  ImageMaps* maps = of(image);
  if (maps == nullptr) return nullptr;
  try {
    make(*maps);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return (maps->*map).data();
}

const std::uint32_t* ImageMaps::integral(const mash_image_t* image) noexcept {
  return made(image, &ImageMaps::integral_, [](ImageMaps& maps) { maps.make_integral(); });
}
const std::uint64_t* ImageMaps::integral_of_squares(const mash_image_t* image) noexcept {
  return made(image, &ImageMaps::squares_, [](ImageMaps& maps) { maps.make_squares(); });
}
const std::int16_t* ImageMaps::gradient(const mash_image_t* image) noexcept {
  return made(image, &ImageMaps::gradient_, [](ImageMaps& maps) { maps.make_gradient(); });
}

// sums (x, y) = the sum of value(sample) left of x and above y.
template <class T, class Value>
void ImageMaps::integrate(std::vector<T>& sums, const Value& value) const {
  const std::size_t width = image_.width, height = image_.height, row_size = width + 1;
  sums.resize(row_size * (height + 1));
  for (std::size_t y = 0; y < height; ++y) {
    const std::size_t above = y * row_size, here = above + row_size;
    T sum = sums[here] = 0;
    for (std::size_t x = 0; x < width; ++x)
      sums[here + x + 1] = sums[above + x + 1] + (sum += value(T(sample(image_.gray, x, y))));
  }
}

void ImageMaps::make_integral() {
  if (!has_integral_) integrate(integral_, [](std::uint32_t sample) { return sample; });
  has_integral_ = true;
}

void ImageMaps::make_squares() {
  if (!has_squares_) integrate(squares_, [](std::uint64_t sample) { return sample * sample; });
  has_squares_ = true;
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
