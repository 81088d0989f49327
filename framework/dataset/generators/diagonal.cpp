// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/generators/diagonal.hpp"

#include <algorithm>

#include "framework/dataset/generators/cube_points.hpp"

namespace mash {

Result<Dataset> generate_diagonal(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const CubeSize size, read_cube_size(settings, 4));
  MASH_ASSIGN(const double noise, settings.real("noise", 0.1, 0, 0.5));
  MASH_TRY(settings.finish("data set diagonal"));
  return generate_cube_points(request, size, [=](std::span<const float> point) {
    double sum = 0;
    for (const float x : point.first(size.num_relevant)) sum += x;
    return sum > 0.5 * double(size.num_relevant) ? 1 - noise : noise;
  });
}

}  // namespace mash
