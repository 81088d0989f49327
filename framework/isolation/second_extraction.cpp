// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/second_extraction.hpp"

#include <algorithm>
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

}  // namespace

std::string Deviation::describe(std::size_t num_all) const {
  return fmt::format("{} of {} values differ; the first: feature {} of image {} is {} and then {}",
                     num_values, num_all, feature, image, first, second);
}

Result<std::optional<Deviation>> find_deviation(HeuristicHost& host, const HeuristicInfo& info,
                                                std::span<const double> values, const ImageTile& tile,
                                                std::span<const float> first, std::uint64_t seed) {
  const std::size_t num_images = tile.images.size();
  require(num_images > 0 && first.size() % num_images == 0, "find_deviation: values of each image");
  const std::size_t width = first.size() / num_images;
  MASH_ASSIGN(const auto instance, host.open(info, values));
  MASH_ASSIGN(const std::uint32_t dim, instance->dim({tile.view.width, tile.view.height}));
  if (dim != width)
    return input_error("heuristic '{}': has {} features, and had {} before", info.id, dim, width);
  RandomStream random(seed, "second extraction");
  std::vector<std::size_t> order(num_images);
  std::iota(order.begin(), order.end(), std::size_t(0));
  random.shuffle(std::span(order));
  Deviation deviation;
  std::vector<mash_image_t> images;
  std::vector<float> second;
  for (std::size_t begin = 0; begin < num_images; begin += images.size()) {
    const std::size_t size = std::min(1 + std::size_t(random.below(kMaxTile)), num_images - begin);
    images.clear();
    for (std::size_t i = 0; i < size; ++i) images.push_back(tile.images[order[begin + i]]);
    second.resize(size * width);
    MASH_TRY(instance->extract({images, tile.view}, {}, second).status);
    for (std::size_t i = 0; i < size; ++i)
      compare(order[begin + i], first.subspan(order[begin + i] * width, width),
              std::span(second).subspan(i * width, width), deviation);
  }
  return deviation.num_values == 0 ? std::nullopt : std::optional(deviation);
}

}  // namespace mash
