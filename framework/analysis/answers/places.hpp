// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/dataset/dataset.hpp"

namespace mash {

// A rectangle of pixels of a picture.
struct Place {
  std::uint32_t x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Place&) const = default;
};

// The picture cut into places, row by row: eight in each direction, or as many as there are pixels.
std::vector<Place> places_of(const ImageShape& shape);

// Covers a place: its pixels become the mean of those around it, a frame of one pixel, channel by channel. A
// place that is the whole picture becomes grey. pixels: shape.num_bytes() of them, laid out as in Split.
void cover(const Place& place, const ImageShape& shape, std::span<std::uint8_t> pixels);

}  // namespace mash
