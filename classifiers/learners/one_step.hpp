// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/learners/learner.hpp"

namespace mash {

// A learner that is trained in one step, on features of any families, by its settings alone.
class OneStepLearner : public Learner {
 public:
  std::optional<std::uint32_t> num_rounds(std::size_t) const final { return std::nullopt; }
  Status check_families(std::span<const FamilySpec>) const final { return Done{}; }
  std::vector<std::filesystem::path> identity_files() const final { return {}; }
};

}  // namespace mash
