// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/cost_point.hpp"

#include <algorithm>

namespace mash {

void mark_front(std::vector<CostPoint>& points) {
  for (CostPoint& point : points)
    point.is_on_front = std::none_of(points.begin(), points.end(), [&](const CostPoint& other) {
      return other.microseconds_per_image <= point.microseconds_per_image && other.use >= point.use &&
             (other.microseconds_per_image < point.microseconds_per_image || other.use > point.use);
    });
}

}  // namespace mash
