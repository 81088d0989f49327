// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "framework/cli/subset_runs.hpp"
#include "framework/reports/family_contribution.hpp"

namespace mash {

// What an analysis is to be made of.
struct ContributionSettings {
  std::vector<std::uint64_t> seeds{1, 2, 3, 4, 5};
  PermutationSettings permutations;
  SimilaritySettings similarity;
  std::optional<ShapleySettings> shapley;  // nothing: none are computed
};

// Families of a session that are looked at as one, and what is trained with and without them.
struct FamilyGroup {
  std::string name;
  std::vector<std::size_t> families;  // increasing
};

// All families of the session, one by one. Trains seeds x (1 + alone + without each + without each and its
// twin) times what the records lack, and what Shapley asks for. Errors: those of SubsetTrainer.
Result<PoolContribution> pool_contribution(SubsetTrainer& trainer, const ContributionSettings& settings);

// A group beside the others of its session, and in the place of its nearest neighbour.
// Errors: those of SubsetTrainer.
Result<NewcomerContribution> newcomer_contribution(SubsetTrainer& trainer, const FamilyGroup& newcomer,
                                                   const ContributionSettings& settings);

}  // namespace mash
