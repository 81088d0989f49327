// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/generators/chess.hpp"

#include <algorithm>

#include "framework/dataset/generators/cube_points.hpp"

namespace mash {

Result<Dataset> generate_chess(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const CubeSize size, read_cube_size(settings, 3));
  MASH_ASSIGN(const auto num_levels, settings.integer("levels", 3, 1, 1 << 20));
  MASH_TRY(settings.finish("data set chess"));
  return generate_cube_points(request, size, [=](std::span<const float> point) {
    std::int64_t sum = 0;
    for (const float x : point.first(size.num_relevant))
      sum += std::min(num_levels - 1, std::int64_t(double(num_levels) * x));
    return sum % 2 == 0 ? 1.0 : 0.0;
  });
}

}  // namespace mash
