// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/model_head.hpp"

namespace mash {

Status check_dim(const ModelFamily& family, std::uint32_t found) {
  if (found == family.dim) return Done{};
  return input_error("heuristic {}: found {} features, the model was trained with {}", family.name, found,
                     family.dim);
}

}  // namespace mash
