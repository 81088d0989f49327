// SPDX-License-Identifier: Apache-2.0
#include "classifiers/weak/weak_learner.hpp"

namespace mash {

std::vector<std::int8_t> stump_votes(const Stump& stump) {
  std::vector<std::int8_t> votes;
  for (const std::int8_t vote : stump.votes) votes.push_back(std::int8_t(-vote));
  votes.insert(votes.end(), stump.votes.begin(), stump.votes.end());
  return votes;
}

std::uint32_t feature_of(const Stump& stump, const FeatureSet& features) {
  return features.first_feature(stump.family_idx) + stump.feature_idx;
}

}  // namespace mash
