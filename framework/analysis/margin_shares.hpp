// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/serving/cut_answers.hpp"
#include "framework/base/parallel.hpp"

namespace mash {

// The margin m = (f_y - max over l != y of f_l) / (2 score_bound) of strong_classifier.hpp, divided among the
// families: f is a sum over hypotheses, and with the best other class l* of the whole f held fixed, so is
// f_y - f_l*. The cuts of one hypothesis share its part equally. Exact: the shares add up to the margin.
struct ExampleShares {
  std::size_t predicted = 0;     // the class that the model gives
  double margin = 0;             // the sum of the shares up to rounding, computed from the scores
  std::vector<double> families;  // of each family of the model
};
// The shares of each test example. labels: of the test side, as many as the features have test examples.
std::vector<ExampleShares> example_shares(const StrongClassifier& model, const CutAnswers& answers,
                                          std::span<const std::uint16_t> labels, const Workers& workers);

// The same over all test examples.
struct MarginShares {
  std::vector<double> families;  // of each family of the model, the mean over the test examples
  double mean_margin = 0;        // their sum up to rounding, computed from the scores
};
// labels: as above.
MarginShares margin_shares(const StrongClassifier& model, const CutAnswers& answers,
                           std::span<const std::uint16_t> labels, const Workers& workers);

// The share of each family of a model in the sum of its coefficients; the cuts of one hypothesis share its
// coefficient equally. 0 where the model has no hypotheses.
std::vector<double> alpha_shares(const StrongClassifier& model);

struct PermutationSettings {
  std::size_t num_permutations = 10;
  std::uint64_t seed = 1;
};

// Loss of a model without retraining when a family's values go to other examples.
struct PermutationImportance {
  double mean = 0;            // of the rise of the test error over the permutations, a fraction
  double standard_error = 0;  // of that mean
};
// For each group of families: all of their columns permuted jointly over the test examples, num_permutations
// times with seeded permutations that are the same for all groups (Breiman 2001, for groups of features).
std::vector<PermutationImportance> permutation_importance(const StrongClassifier& model,
                                                          const CutAnswers& answers,
                                                          std::span<const std::vector<std::size_t>> groups,
                                                          std::span<const std::uint16_t> labels,
                                                          const PermutationSettings& settings,
                                                          const Workers& workers);

}  // namespace mash
