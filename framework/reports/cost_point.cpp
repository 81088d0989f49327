// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/cost_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mash {

void mark_front(std::vector<CostPoint>& points) {
  for (CostPoint& point : points)
    point.is_on_front =
        !std::isnan(point.microseconds_per_image) &&
        std::none_of(points.begin(), points.end(), [&](const CostPoint& other) {
          return other.microseconds_per_image <= point.microseconds_per_image && other.use >= point.use &&
                 (other.microseconds_per_image < point.microseconds_per_image || other.use > point.use);
        });
}

std::string cost_in_words(double microseconds_per_image) {
  if (std::isnan(microseconds_per_image)) return "unknown cost";
  return fmt::format("{:.1f} µs per image", microseconds_per_image);
}

}  // namespace mash
