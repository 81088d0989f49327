// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/dataset/dataset.hpp"
#include "framework/extractors/host.hpp"
#include "framework/extractors/image_maps.hpp"
#include "mash/abi/image.h"

namespace mash {

// The number of images that extraction hands over at once: enough to be worth asking another process for, few
// enough for their planes to stay in the processor's cache; large images go one by one.
std::size_t tile_capacity(const ImageShape& shape);

// Shows a data set's images to heuristics, a tile at a time; owns the grey planes of colour images, and the
// maps that heuristics share. For one thread.
//
//   ( clear  add*  tile )*      or      show*
class ImagePlanes {
 public:
  // capacity: the images that a tile has room for. maps_kept: of how many of them the maps are kept; as many
  // as `capacity` where several families are asked about a tile, 1 where it is one family.
  explicit ImagePlanes(const ImageShape& shape, std::size_t capacity = 1, std::size_t maps_kept = 1);

  void clear();
  // Adds the image over `pixels` (shape.num_bytes() of them, which stay until clear). REQUIRES: !is_full()
  void add(std::span<const std::uint8_t> pixels);
  bool is_full() const { return num_images_ == images_.size(); }
  // What was added since clear, valid until the next clear.
  ImageTile tile() const { return {std::span(images_).first(num_images_), view()}; }

  // A tile of one image: clear, add.
  const mash_image_t& show(std::span<const std::uint8_t> pixels);

  // The whole image.
  mash_view_t view() const { return {0, 0, shape_.width, shape_.height}; }

 private:
  ImageShape shape_;
  std::vector<std::uint8_t> gray_;  // of colour images: a plane for each image of a tile
  std::vector<mash_image_t> images_;
  std::size_t num_images_ = 0;
  ImageMaps maps_;
};

}  // namespace mash
