// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "mash/abi/image_maps.h"

namespace mash {

// The maps of one image that heuristics may ask for (MASH_IMAGE_MAPS), made when they do. Found by the
// image's address among those that are alive on the thread.
class ImageMaps {
 public:
  // image: outlives this. Made, used and destroyed on one thread.
  explicit ImageMaps(const mash_image_t& image);
  ~ImageMaps();
  ImageMaps(const ImageMaps&) = delete;
  ImageMaps& operator=(const ImageMaps&) = delete;

  // The image has other samples from now on.
  void forget();

  // What heuristics get.
  static const mash_image_maps_t& table();

 private:
  static ImageMaps* of(const mash_image_t* image);
  template <class T, class Make>
  static const T* made(const mash_image_t* image, std::vector<T> ImageMaps::*map, const Make& make) noexcept;
  static const std::uint32_t* integral(const mash_image_t* image) noexcept;
  static const std::uint64_t* integral_of_squares(const mash_image_t* image) noexcept;
  static const std::int16_t* gradient(const mash_image_t* image) noexcept;
  template <class T, class Value>
  void integrate(std::vector<T>& sums, const Value& value) const;
  void make_integral();
  void make_squares();
  void make_gradient();

  const mash_image_t& image_;
  ImageMaps* next_;  // alive on this thread
  bool has_integral_ = false, has_squares_ = false, has_gradient_ = false;
  std::vector<std::uint32_t> integral_;
  std::vector<std::uint64_t> squares_;
  std::vector<std::int16_t> gradient_;
};

}  // namespace mash
