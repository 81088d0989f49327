// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "framework/dataset/dataset.hpp"
#include "framework/extractors/host.hpp"
#include "framework/families/image_planes.hpp"

namespace mash {

// The number of images that extraction hands over at once: enough to be worth asking another process for, few
// enough for their planes to stay in the processor's cache; large images go one by one. most: for callers
// that keep something of each image. Where each tile begins by showing `looks_back` images that the first
// one's features look back at, it is large enough that they are few among the others, and may be more than
// `most`.
std::size_t tile_capacity(const ImageShape& shape, std::size_t looks_back = 0, std::size_t most = 64);

// The number of images whose rows of `dim` features are held in memory at once.
std::size_t rows_at_once(std::size_t dim);

// The number of pictures that a thread takes at a time: several tiles; of films many, or most of the images
// would be those that are looked back at.
std::size_t pictures_per_task(const ImageShape& shape, std::size_t looks_back);

// The pictures of a walk, by their places in it.
struct Pictures {
  std::size_t count = 0;
  // Adds the picture of that place to the planes; false, and nothing is added, where they have no room for
  // it.
  std::function<bool(std::size_t place, ImagePlanes& planes)> add;
};

// Both splits as one sequence: training examples, then test examples.
struct ExampleRef {
  const Split* split;
  std::size_t example_idx;
};
ExampleRef example_at(const Dataset& dataset, std::size_t i);

// The examples [begin, end) of a split, which outlives them.
Pictures pictures_of(const Split& split, std::size_t begin, std::size_t end);
// These examples of a split, in this order; both outlive them.
Pictures pictures_of(const Split& split, std::span<const std::uint32_t> examples);
// These examples of a data set, in this order, as example_at counts them; both outlive them.
Pictures pictures_of(const Dataset& dataset, std::span<const std::uint32_t> examples);
// Images that stand alone, one after the other in `pixels`, which stay.
Pictures pictures_of(std::span<const std::uint8_t> pixels, const ImageShape& shape);

// Goes over pictures a tile at a time: each tile holds as many of the next ones as it has room for. For one
// thread.
//
//   ( next  ( first | size | tile )* )*      until next is false
class TileWalk {
 public:
  // looks_back, maps_kept: as ImagePlanes has them. capacity: tile_capacity of the same shape and looks_back.
  TileWalk(const ImageShape& shape, Pictures pictures, std::size_t looks_back, std::size_t capacity,
           std::size_t maps_kept = 1);

  // Whether there is a next tile, which is then the one that the others speak of.
  bool next();

  // The place of the tile's first wanted picture.
  std::size_t first() const { return first_; }
  // Its wanted pictures: a row of values each.
  std::size_t size() const { return end_ - first_; }
  // Valid until next.
  ImageTile tile() const { return planes_.tile(); }

 private:
  Pictures pictures_;
  std::size_t capacity_;
  ImagePlanes planes_;
  std::size_t first_ = 0, end_ = 0;
};

}  // namespace mash
