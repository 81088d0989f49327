// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/second_extraction.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "framework/base/ordered_bits.hpp"
#include "framework/base/random.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr std::size_t kMaxTile = 17;  // images; few, and none of the sizes that extraction takes

// Notes the values of one image that are others than before.
void compare(std::size_t image, std::span<const float> first, std::span<const float> second,
             Deviation& deviation) {
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (same_bits(first[j], second[j])) continue;
    // The images come in another order than they are told of.
    if (deviation.num_values == 0 || image < deviation.image)
      deviation = {deviation.num_values, image, std::uint32_t(j), first[j], second[j]};
    ++deviation.num_values;
  }
}

using Extract = std::function<Status(const ImageTile& part, std::span<const std::size_t> places)>;

std::size_t draw_tile_size(RandomStream& random, std::size_t num_left) {
  return std::min(1 + std::size_t(random.below(kMaxTile)), num_left);
}

std::vector<std::size_t> counted_from(std::size_t first, std::size_t count) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), first);
  return places;
}

// Every image apart from its neighbours.
Status extract_singly(const ImageTile& tile, RandomStream& random, const Extract& extract) {
  std::vector<std::size_t> order = counted_from(0, tile.images.size());
  random.shuffle(std::span(order));
  std::vector<mash_image_t> images;
  std::vector<mash_view_t> views;
  for (std::size_t begin = 0; begin < order.size(); begin += images.size()) {
    const auto places = std::span(order).subspan(begin, draw_tile_size(random, order.size() - begin));
    images.clear();
    views.clear();
    for (const std::size_t place : places) {
      images.push_back(tile.images[place]);
      views.push_back(tile.view_of(place));
    }
    MASH_TRY(extract({images, views}, places));
  }
  return Done{};
}

// Runs of images that follow each other, the runs in any order.
Status extract_in_runs(const ImageTile& tile, std::uint32_t looks_back, RandomStream& random,
                       const Extract& extract) {
  std::vector<std::vector<std::size_t>> runs;
  for (std::size_t begin = 0; begin < tile.num_wanted(); begin += runs.back().size())
    runs.push_back(counted_from(begin, draw_tile_size(random, tile.num_wanted() - begin)));
  random.shuffle(std::span(runs));
  for (const auto& run : runs) {
    const ImageTile rest = tile.from(run.front(), looks_back);
    MASH_TRY(extract(rest.first(rest.num_shown + run.size()), run));
  }
  return Done{};
}

}  // namespace

std::string Deviation::describe(std::size_t num_all) const {
  return fmt::format("{} of {} values differ; the first: feature {} of image {} is {} and then {}",
                     num_values, num_all, feature, image, first, second);
}

Result<std::optional<Deviation>> find_deviation(HeuristicInstance& again, const HeuristicInfo& info,
                                                const ImageTile& tile, std::span<const float> first,
                                                std::uint64_t seed) {
  const std::size_t num_images = tile.num_wanted();
  require(num_images > 0 && first.size() % num_images == 0 && tile.has_its_views() &&
              (tile.num_shown == 0 || !tile.frames.empty()),
          "find_deviation: values and a view of each wanted image");
  const std::size_t width = first.size() / num_images;
  const mash_view_t& view = tile.view_of(0);
  MASH_ASSIGN(const std::uint32_t dim, again.dim({view.width, view.height}));
  if (dim != width)
    return input_error("heuristic '{}': has {} features, and had {} before", info.id, dim, width);
  RandomStream random(seed, "second extraction");
  Deviation deviation;
  std::vector<float> second;
  // The images in `places` again, with those around them that they need.
  const auto extract = [&](const ImageTile& part, std::span<const std::size_t> places) -> Status {
    second.resize(places.size() * width);
    MASH_TRY(again.extract(part, {}, second).status);
    for (std::size_t i = 0; i < places.size(); ++i)
      compare(places[i], first.subspan(places[i] * width, width), std::span(second).subspan(i * width, width),
              deviation);
    return Done{};
  };
  if (tile.frames.empty())
    MASH_TRY(extract_singly(tile, random, extract));
  else
    MASH_TRY(extract_in_runs(tile, info.looks_back, random, extract));
  return deviation.num_values == 0 ? std::nullopt : std::optional(deviation);
}

}  // namespace mash
