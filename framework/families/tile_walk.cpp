// SPDX-License-Identifier: Apache-2.0
#include "framework/families/tile_walk.hpp"

#include <algorithm>
#include <utility>

namespace mash {

std::size_t tile_capacity(const ImageShape& shape, std::size_t looks_back, std::size_t most) {
  constexpr std::size_t kCacheBytes = std::size_t(1) << 18;
  constexpr std::size_t kWantedPerShown = 8, kMaxOfFilms = 512, kFilmBytes = std::size_t(1) << 26;
  const std::size_t image_bytes = std::max<std::size_t>(shape.num_bytes(), 1);
  const std::size_t alone = std::clamp(kCacheBytes / image_bytes, std::size_t(1), most);
  return std::max(alone, std::min({kWantedPerShown * looks_back, kMaxOfFilms, kFilmBytes / image_bytes}));
}

std::size_t rows_at_once(std::size_t dim) {
  constexpr std::size_t kBytes = std::size_t(16) << 20;
  return std::max<std::size_t>(1, kBytes / sizeof(float) / std::max<std::size_t>(dim, 1));
}

std::size_t pictures_per_task(const ImageShape& shape, std::size_t looks_back) {
  constexpr std::size_t kFewest = 64;
  return std::max(kFewest, tile_capacity(shape, looks_back));
}

ExampleRef example_at(const Dataset& dataset, std::size_t i) {
  const std::size_t num_train = dataset.train.num_examples;
  return i < num_train ? ExampleRef{&dataset.train, i} : ExampleRef{&dataset.test, i - num_train};
}

Pictures pictures_of(const Split& split, std::size_t begin, std::size_t end) {
  return {end - begin, [&split, begin](std::size_t place, ImagePlanes& planes) {
            return planes.add_if_room(split, begin + place);
          }};
}

Pictures pictures_of(const Split& split, std::span<const std::uint32_t> examples) {
  return {examples.size(), [&split, examples](std::size_t place, ImagePlanes& planes) {
            return planes.add_if_room(split, examples[place]);
          }};
}

Pictures pictures_of(const Dataset& dataset, std::span<const std::uint32_t> examples) {
  return {examples.size(), [&dataset, examples](std::size_t place, ImagePlanes& planes) {
            const auto [split, example_idx] = example_at(dataset, examples[place]);
            return planes.add_if_room(*split, example_idx);
          }};
}

Pictures pictures_of(std::span<const std::uint8_t> pixels, const ImageShape& shape) {
  const std::size_t num_bytes = shape.num_bytes();
  return {pixels.size() / num_bytes, [pixels, num_bytes](std::size_t place, ImagePlanes& planes) {
            if (planes.is_full()) return false;
            planes.add(pixels.subspan(place * num_bytes, num_bytes));
            return true;
          }};
}

TileWalk::TileWalk(const ImageShape& shape, Pictures pictures, std::size_t looks_back, std::size_t capacity,
                   std::size_t maps_kept)
    : pictures_(std::move(pictures)),
      capacity_(std::min(capacity, pictures_.count)),
      planes_(shape, capacity_, maps_kept, looks_back) {}

bool TileWalk::next() {
  planes_.clear();
  first_ = end_;
  while (end_ < pictures_.count && size() < capacity_ && pictures_.add(end_, planes_)) ++end_;
  return size() > 0;
}

}  // namespace mash
