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

// Shows a data set's images to heuristics, a tile at a time; owns the grey planes of colour images, and the
// maps that heuristics share. For one thread.
//
//   ( clear  add*  tile )*      or      show*
//
// Examples of a split with sequences need the frames before them. Before a tile's first example, as many
// frames are shown as a heuristic looks back at. Each further example follows the one before it, or begins a
// sequence.
class ImagePlanes {
 public:
  // capacity: the number of images that a tile has room for, beside those that are only shown. maps_kept: the
  // number of images whose maps are kept; `capacity` where several families are asked about a tile, 1 where
  // one family is. looks_back: how many images the heuristics look back at, at most.
  explicit ImagePlanes(const ImageShape& shape, std::size_t capacity = 1, std::size_t maps_kept = 1,
                       std::size_t looks_back = 0);

  void clear();
  // Adds the image with these pixels: shape.num_bytes() bytes, which stay valid until clear. REQUIRES:
  // !is_full()
  void add(std::span<const std::uint8_t> pixels);
  bool is_full() const { return num_images_ - num_shown_ == capacity_; }
  // Whether an example of the split can be added to the tile. All examples of a tile are of splits with
  // sequences, or all are of splits without.
  bool has_room_for(const Split& split, std::size_t example_idx) const;
  // Adds the example. One beyond those that an endless side holds is rendered, and its image is kept until
  // clear. REQUIRES: has_room_for(split, example_idx).
  void add(const Split& split, std::size_t example_idx);
  // Adds it where there is room for it; whether there was.
  bool add_if_room(const Split& split, std::size_t example_idx);
  // Images added since clear, each seen as a whole; valid until the next clear.
  ImageTile tile() const {
    return {std::span(images_).first(num_images_), {&view_, 1}, {}, frames_, num_shown_};
  }

  // A tile of one image: clear, then add.
  const mash_image_t& show(std::span<const std::uint8_t> pixels);

  // The whole image.
  const mash_view_t& view() const { return view_; }

 private:
  void add_frame(const Split& split, std::size_t example_idx);

  ImageShape shape_;
  mash_view_t view_;
  std::size_t capacity_, looks_back_;
  std::vector<std::uint8_t> gray_;  // of colour images: a plane for each image of a tile
  std::vector<std::uint8_t> made_;  // images of an endless side, each in its place of the tile
  std::vector<mash_image_t> images_;
  std::vector<mash_frame_t> frames_;  // of the images added, where they are of sequences
  std::size_t num_images_ = 0, num_shown_ = 0;
  const Split* last_split_ = nullptr;  // of the frame added last
  std::size_t last_example_ = 0;
  ImageMaps maps_;
};

}  // namespace mash
