// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"

namespace mash {

// Where each feature stands among the values that the scorer of a model takes.
class ValuePlaces {
 public:
  // needed: for each family the features, increasing.
  explicit ValuePlaces(std::vector<std::vector<std::uint32_t>> needed);

  const std::vector<std::vector<std::uint32_t>>& needed() const { return needed_; }
  std::size_t count() const { return count_; }
  // REQUIRES: the feature is needed.
  std::size_t of(std::uint32_t family_idx, std::uint32_t feature_idx) const;
  // The same of the feature that a cut asks. REQUIRES: the cut does not always hold.
  std::size_t of(const Cut& cut) const { return of(cut.family_idx, cut.feature_idx); }

 private:
  std::vector<std::vector<std::uint32_t>> needed_;
  std::vector<std::size_t> first_;  // place of each family's first feature
  std::size_t count_ = 0;
};

}  // namespace mash
