// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mash/abi/image_maps.h"

namespace mash {

// The maps of images that heuristics may ask for (MASH_IMAGE_MAPS), made when they do and shared by all that
// ask. Found by the image's address among those that are alive on the thread.
//
//   1. Made over images whose addresses stay; the images may still have no samples.
//   2. Heuristics ask through table(). The maps of the num_kept images asked about last are kept.
//   3. forget, whenever the images get other samples; then 2 again.
//   4. Destroyed before the images. All of it on one thread.
class ImageMaps {
 public:
  explicit ImageMaps(std::span<const mash_image_t> images, std::size_t num_kept = 1);
  explicit ImageMaps(const mash_image_t& image) : ImageMaps({&image, 1}) {}
  ~ImageMaps();
  ImageMaps(const ImageMaps&) = delete;
  ImageMaps& operator=(const ImageMaps&) = delete;

  // The images have other samples from now on.
  void forget();

  // The table that heuristics get.
  static const mash_image_maps_t& table();

 private:
  // The maps of one image.
  struct Maps {
    const mash_image_t* image = nullptr;  // null: of none
    bool has_integral = false, has_squares = false, has_gradient = false;
    std::vector<std::uint32_t> integral;
    std::vector<std::uint64_t> squares;
    std::vector<std::int16_t> gradient;

    void belong_to(const mash_image_t* new_image);
    template <class T, class Value>
    void integrate(std::vector<T>& sums, const Value& value) const;
    void make_integral();
    void make_squares();
    void make_gradient();
  };

  // The place for an image's maps, which may hold some already. Null: no object on this thread has the image.
  static Maps* find(const mash_image_t* image);
  // The map of an image, made by `make` if need be; null where the image is not known or memory runs out.
  template <class T, class Make>
  static const T* made(const mash_image_t* image, std::vector<T> Maps::*map, const Make& make) noexcept;
  static const std::uint32_t* integral(const mash_image_t* image) noexcept;
  static const std::uint64_t* integral_of_squares(const mash_image_t* image) noexcept;
  static const std::int16_t* gradient(const mash_image_t* image) noexcept;

  std::span<const mash_image_t> images_;
  std::vector<Maps> kept_;  // image i has its place at i modulo their number
  ImageMaps* next_;         // alive on this thread
};

}  // namespace mash
