// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "classifiers/model/model.hpp"

namespace mash {

// The votes of one feature that a model asks for.
struct FeatureVotes {
  std::uint32_t family_idx = 0, feature_idx = 0;  // within the family
  float value = 0;                                // on this example; NaN where it is missing
  std::vector<double> votes;                      // for each class
};

// The fewest hypotheses of one family that, given other answers of this family's features, change the class.
struct FamilyChange {
  std::uint32_t family_idx = 0;
  std::size_t num_changed = 0, num_votes = 0;  // hypotheses; of the family
  std::size_t class_idx = 0;                   // the class then
};

// The one feature that has to go least far to change the class, all others being as they are.
struct FeatureChange {
  std::uint32_t family_idx = 0, feature_idx = 0;
  float value = 0, bound = 0;  // on this example; it must reach or fall below this one
  bool must_rise = false;      // to the bound or above it; else below the bound
  std::size_t num_steps = 0;   // thresholds that it crosses; 0 where the model has none of it
  std::size_t class_idx = 0;   // the class then
};

// Why a model gives an example its class: the votes of each feature, whose sum is the score of each class.
//   sum     a hypothesis votes with alpha times the votes of the example's cell. Its vote is that of the
//           features that it asked on the way there, in equal shares: all of them of a stump or a product,
//           those on the path of a tree. A hypothesis that asks none belongs to the constant part.
//   linear  an input votes with its coefficients times its number; the intercepts are the constant part.
//   gaussian  an input votes with its log density in each class; the constant part is the log of the prior. A
//           class of prior 0 has nothing but a constant part.
//   tree    a question votes for its feature with what its answer adds to the shares of the classes; those of
//           the root are the constant part.
//   kernel, neighbours  no feature has a vote of its own (Model::has_votes): all is the constant part.
struct Explanation {
  std::vector<double> scores;          // of each class: the same bits as the scorer's
  std::vector<double> constant;        // votes of each class that no feature has a part in
  std::vector<FeatureVotes> features;  // all that the model asks for, by family, then by feature
  // Family by family the sums of the votes of its features: families x classes.
  std::vector<std::vector<double>> families;
  std::size_t predicted = 0, rival = 0;  // the class with the largest score, and the one with the next
  // Nothing: no family can change the class alone; the model is no sum.
  std::optional<FamilyChange> family_change;
  std::optional<FeatureChange> feature_change;  // nothing: no feature can alone
};

// values: those that the model's scorer takes.
Explanation explain(const Model& model, std::span<const float> values);

// The votes alone, without what would change the class.
Explanation votes_of(const Model& model, std::span<const float> values);

}  // namespace mash
