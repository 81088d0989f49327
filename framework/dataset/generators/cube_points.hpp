// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "framework/dataset/reader.hpp"

namespace mash {

// Points of the tasks of Busa-Fekete & Kegl 2010, section 4.1: uniform in a cube of which few dimensions
// matter.
struct CubeSize {
  std::size_t num_features = 10;  // d
  std::size_t num_relevant = 0;   // J
};

// The keys features and relevant.
Result<CubeSize> read_cube_size(Settings& settings, std::int64_t default_relevant);

// The probability that a point is of the class "+1".
using PositiveShare = std::function<double(std::span<const float> point)>;

// Both sides of a data set.
Dataset generate_cube_points(const ReadRequest& request, const CubeSize& size,
                             const PositiveShare& positive_share);

}  // namespace mash
