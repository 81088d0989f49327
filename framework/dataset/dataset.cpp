// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/dataset.hpp"

#include <algorithm>

namespace mash {

std::size_t num_sequences(const Dataset& dataset) {
  const auto of_side = [](const Split& split) {
    return std::ranges::count_if(split.frames, [](const Frame& frame) { return frame.place == 0; });
  };
  return std::size_t(of_side(dataset.train) + of_side(dataset.test));
}

}  // namespace mash
