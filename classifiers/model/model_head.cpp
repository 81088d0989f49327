// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/model_head.hpp"

#include <algorithm>
#include <cmath>

namespace mash {

bool ModelProbe::operator==(const ModelProbe& other) const {
  const auto same_value = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  const auto same_family = [&](const auto& a, const auto& b) {
    return a.has_value() == b.has_value() && (!a || std::ranges::equal(*a, *b, same_value));
  };
  return seed == other.seed && std::ranges::equal(values, other.values, same_family);
}

Status check_dim(const ModelFamily& family, std::uint32_t found) {
  if (found == family.dim) return Done{};
  return input_error("heuristic {}: found {} features, the model was trained with {}", family.name, found,
                     family.dim);
}

}  // namespace mash
