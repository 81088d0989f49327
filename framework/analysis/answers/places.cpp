// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/places.hpp"

#include <algorithm>

namespace mash {
namespace {

constexpr std::uint32_t kPlacesEachWay = 8;
constexpr std::uint64_t kGrey = 128;

// Pixels [first, behind) of one direction.
struct Stretch {
  std::uint32_t first = 0, behind = 0;
};

std::vector<Stretch> stretches_of(std::uint32_t length) {
  const std::uint32_t count = std::min(length, kPlacesEachWay);
  std::vector<Stretch> stretches;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto at = [&](std::uint32_t k) { return std::uint32_t(std::uint64_t(length) * k / count); };
    stretches.push_back({at(i), at(i + 1)});
  }
  return stretches;
}

// The mean of a channel in the frame around the place.
std::uint8_t mean_around(const Place& place, const ImageShape& shape, std::uint32_t channel,
                         std::span<const std::uint8_t> pixels) {
  const std::uint32_t left = place.x > 0 ? place.x - 1 : 0, top = place.y > 0 ? place.y - 1 : 0,
                      right = std::min(place.x + place.width + 1, shape.width),
                      bottom = std::min(place.y + place.height + 1, shape.height);
  std::uint64_t sum = 0, count = 0;
  for (std::uint32_t y = top; y < bottom; ++y)
    for (std::uint32_t x = left; x < right; ++x) {
      const bool is_within =
          x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + place.height;
      if (is_within) continue;
      sum += pixels[(std::size_t(y) * shape.width + x) * shape.num_channels + channel];
      ++count;
    }
  return std::uint8_t(count == 0 ? kGrey : (sum + count / 2) / count);
}

}  // namespace

std::vector<Place> places_of(const ImageShape& shape) {
  std::vector<Place> places;
  for (const Stretch& rows : stretches_of(shape.height))
    for (const Stretch& columns : stretches_of(shape.width))
      places.push_back({columns.first, rows.first, columns.behind - columns.first, rows.behind - rows.first});
  return places;
}

void cover(const Place& place, const ImageShape& shape, std::span<std::uint8_t> pixels) {
  for (std::uint32_t channel = 0; channel < shape.num_channels; ++channel) {
    const std::uint8_t mean = mean_around(place, shape, channel, pixels);
    for (std::uint32_t y = place.y; y < place.y + place.height; ++y)
      for (std::uint32_t x = place.x; x < place.x + place.width; ++x)
        pixels[(std::size_t(y) * shape.width + x) * shape.num_channels + channel] = mean;
  }
}

}  // namespace mash
