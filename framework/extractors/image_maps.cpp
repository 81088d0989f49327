// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/image_maps.hpp"

#include <functional>
#include <new>

namespace mash {
namespace {

thread_local ImageMaps* newest = nullptr;

int sample(const mash_plane_t& plane, std::size_t x, std::size_t y) {
  return plane.origin[std::ptrdiff_t(y) * plane.row_stride + std::ptrdiff_t(x) * plane.column_stride];
}

}  // namespace

ImageMaps::ImageMaps(std::span<const mash_image_t> images, std::size_t num_kept)
    : images_(images), kept_(num_kept), next_(newest) {
  newest = this;
}

ImageMaps::~ImageMaps() {
  ImageMaps** place = &newest;
  while (*place != this) place = &(*place)->next_;
  *place = next_;
}

void ImageMaps::forget() {
  for (Maps& maps : kept_) maps.belong_to(nullptr);
}

const mash_image_maps_t& ImageMaps::table() {
  static const mash_image_maps_t table{sizeof(mash_image_maps_t), 0, integral, integral_of_squares, gradient};
  return table;
}

ImageMaps::Maps* ImageMaps::find(const mash_image_t* image) {
  const std::less<const mash_image_t*> is_before;  // also for addresses of different arrays
  for (ImageMaps* maps = newest; maps != nullptr; maps = maps->next_) {
    const mash_image_t* first = maps->images_.data();
    if (is_before(image, first) || !is_before(image, first + maps->images_.size())) continue;
    Maps& place = maps->kept_[std::size_t(image - first) % maps->kept_.size()];
    if (place.image != image) place.belong_to(image);
    return &place;
  }
  return nullptr;
}

// No exception may reach a plugin.
template <class T, class Make>
const T* ImageMaps::made(const mash_image_t* image, std::vector<T> Maps::*map, const Make& make) noexcept {
  Maps* maps = find(image);
  if (maps == nullptr) return nullptr;
  try {
    make(*maps);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return (maps->*map).data();
}

const std::uint32_t* ImageMaps::integral(const mash_image_t* image) noexcept {
  return made(image, &Maps::integral, [](Maps& maps) { maps.make_integral(); });
}
const std::uint64_t* ImageMaps::integral_of_squares(const mash_image_t* image) noexcept {
  return made(image, &Maps::squares, [](Maps& maps) { maps.make_squares(); });
}
const std::int16_t* ImageMaps::gradient(const mash_image_t* image) noexcept {
  return made(image, &Maps::gradient, [](Maps& maps) { maps.make_gradient(); });
}

void ImageMaps::Maps::belong_to(const mash_image_t* new_image) {
  image = new_image;
  has_integral = has_squares = has_gradient = false;
}

// sums (x, y) = the sum of value(sample) left of x and above y.
template <class T, class Value>
void ImageMaps::Maps::integrate(std::vector<T>& sums, const Value& value) const {
  const std::size_t width = image->width, height = image->height, row_size = width + 1;
  sums.resize(row_size * (height + 1));
  for (std::size_t y = 0; y < height; ++y) {
    const std::size_t above = y * row_size, here = above + row_size;
    T sum = sums[here] = 0;
    for (std::size_t x = 0; x < width; ++x)
      sums[here + x + 1] = sums[above + x + 1] + (sum += value(T(sample(image->gray, x, y))));
  }
}

void ImageMaps::Maps::make_integral() {
  if (!has_integral) integrate(integral, [](std::uint32_t sample) { return sample; });
  has_integral = true;
}

void ImageMaps::Maps::make_squares() {
  if (!has_squares) integrate(squares, [](std::uint64_t sample) { return sample * sample; });
  has_squares = true;
}

void ImageMaps::Maps::make_gradient() {
  if (has_gradient) return;
  const std::size_t width = image->width, height = image->height;
  gradient.assign(2 * width * height, 0);
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      std::int16_t* pair = &gradient[2 * (y * width + x)];
      if (x > 0 && x + 1 < width)
        pair[0] = std::int16_t(sample(image->gray, x + 1, y) - sample(image->gray, x - 1, y));
      if (y > 0 && y + 1 < height)
        pair[1] = std::int16_t(sample(image->gray, x, y + 1) - sample(image->gray, x, y - 1));
    }
  has_gradient = true;
}

}  // namespace mash
