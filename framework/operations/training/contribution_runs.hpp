// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "framework/analysis/family_contribution.hpp"
#include "framework/operations/training/subset_trainer.hpp"

namespace mash {

// Settings of the measurement of contributions.
struct ContributionSettings {
  std::vector<std::uint64_t> seeds{1, 2, 3, 4, 5};
  PermutationSettings permutations;
  SimilaritySettings similarity;
  std::optional<ShapleySettings> shapley;  // nothing: none are computed
};

// Families of a trainer that are measured as one.
struct FamilyGroup {
  std::string name;
  std::vector<std::size_t> families;  // increasing
};

// Results of the trainings of one set of families, one for each seed.
struct SetRuns {
  std::vector<TestRun> tests;
  std::vector<StrongClassifier> models;  // where they were wanted; their families are those of the set
};

// Contributions of all families, with the trainings from which they were computed.
struct PoolAnalysis {
  PoolContribution contribution;
  SetRuns all;  // of all families of the trainer, with their models
  cv::Mat cka;  // of all families
  std::vector<std::size_t>
      uncovered;  // test examples that more than half of the seeds of every family alone get wrong
};

// Measures all families of the trainer, one by one. For each seed it trains all families, each family alone
// and all without each family, and the sets that Shapley values need. Trainings that the records have are not
// repeated. Errors: those of SubsetTrainer.
Result<PoolAnalysis> pool_contribution(SubsetTrainer& trainer, const ContributionSettings& settings);

}  // namespace mash
