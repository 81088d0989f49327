// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/value_places.hpp"

#include <algorithm>
#include <utility>

namespace mash {

ValuePlaces::ValuePlaces(std::vector<std::vector<std::uint32_t>> needed) : needed_(std::move(needed)) {
  for (const auto& features : needed_) {
    first_.push_back(count_);
    count_ += features.size();
  }
}

std::size_t ValuePlaces::of(std::uint32_t family_idx, std::uint32_t feature_idx) const {
  const auto& features = needed_[family_idx];
  return first_[family_idx] +
         std::size_t(std::lower_bound(features.begin(), features.end(), feature_idx) - features.begin());
}

}  // namespace mash
