// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "framework/analysis/family_contribution.hpp"
#include "framework/cli/subset_runs.hpp"

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

// What the trainings of one set of families left, one of each seed.
struct SetRuns {
  std::vector<std::int64_t> experiment_ids;  // in the records; none for the constant answer
  std::vector<TestRun> tests;
  std::vector<StrongClassifier> models;  // where they were wanted; their families are those of the set
};

// What all families do, and what that was found from.
struct PoolAnalysis {
  PoolContribution contribution;
  SetRuns all;  // of all families of the session, with their models
  cv::Mat cka;  // of all families
  std::vector<std::size_t>
      uncovered;  // test examples that more than half of the seeds of every family alone get wrong
};

// All families of the session, one by one. Trains seeds x (1 + alone + without each + without each and its
// twin) times what the records lack, and what Shapley asks for. Errors: those of SubsetTrainer.
Result<PoolAnalysis> pool_contribution(SubsetTrainer& trainer, const ContributionSettings& settings);

// What a newcomer does, and what that was found from.
struct NewcomerAnalysis {
  NewcomerContribution contribution;
  SetRuns with, without;  // the pool with it (all families of the session) and without; with their models
  cv::Mat cka;            // of all families
  std::vector<double> family_shares;  // of the mean margin of the pool with it, of all families, over seeds
};

// A group beside the others of its session, and in the place of its nearest neighbour.
// Errors: those of SubsetTrainer.
Result<NewcomerAnalysis> newcomer_contribution(SubsetTrainer& trainer, const FamilyGroup& newcomer,
                                               const ContributionSettings& settings);

// Its Shapley value of the accuracy with one seed. Errors: those of SubsetTrainer.
Result<ShapleyValue> newcomer_shapley(SubsetTrainer& trainer, const FamilyGroup& newcomer, std::uint64_t seed,
                                      std::size_t num_permutations);

}  // namespace mash
