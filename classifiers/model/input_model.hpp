// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "classifiers/model/model_head.hpp"

namespace mash {

// A number that a model computes from one feature x: x itself, or the code of x.
struct ModelInput {
  std::uint32_t family_idx = 0;
  std::uint32_t feature_idx = 0;  // within the family
  // Thresholds of a code, finite and increasing: the number is how many of them are <= x, and 0 for NaN.
  std::vector<float> thresholds;
  // For x itself: the number that is taken where x is not finite.
  float missing = 0;

  bool is_code() const { return !thresholds.empty(); }
  float of(float x) const;
  bool operator==(const ModelInput&) const = default;
};

// The part of models whose scores are functions of the numbers of their inputs. Each kind has a function
//   NumberScores number_scores(const Kind& model);
struct InputModel : ModelHead {
  std::vector<ModelInput> inputs;  // of different features, by family, then by feature
  // The largest |f_l| on the training examples. Scores of other examples may be larger.
  double largest_score = 0;

  bool operator==(const InputModel&) const = default;
};

// Computes scores from the numbers of inputs. Any number of threads may use it at once. numbers: examples x
// inputs, in order. scores: examples x K, overwritten; an example's do not depend on the others.
using NumberScores = std::function<void(std::span<const float> numbers, std::span<double> scores)>;

// Numbers of the inputs. values: those of their features, in the order of the inputs.
std::vector<float> numbers_of(const InputModel& model, std::span<const float> values);

// For each family the features of its inputs, increasing.
std::vector<std::vector<std::uint32_t>> needed_features(const InputModel& model);

// Returns largest_score. Margins are fractions of it.
double score_bound(const InputModel& model);

}  // namespace mash
