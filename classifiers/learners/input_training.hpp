// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "classifiers/learners/learner.hpp"
#include "classifiers/model/model.hpp"
#include "framework/families/feature_matrix.hpp"

namespace mash {

// A weight for each training example: 0 where the context leaves the example out, else that of the context,
// or 1.
std::vector<double> example_weights(const TrainingContext& context);

// The input that reads this feature of the set. mean: of its values, which takes the place of missing ones.
ModelInput input_of(std::uint32_t feature, FeatureNumber number, double mean, const FeatureSet& features);

// Counts for each family the features that were drawn, each of which was computed on all training examples.
void count_drawn(std::span<const std::uint32_t> drawn, const FeatureSet& features, TrainingResult& result);

// Examples that stand for the training side where scores of all of it take too long.
struct JudgedExamples {
  std::vector<std::uint32_t> examples;
  std::vector<double> scores;  // of these, one for each class
};

// Those of at most kMostJudged training examples, with the smallest hashes of the seed. examples: the numbers
// of the rows, which are those of examples that train. Errors: kStopped.
inline constexpr std::size_t kMostJudged = 2000;
Result<JudgedExamples> judge_some(const NumberScores& scores_of, const NumberRows& rows,
                                  std::span<const std::uint32_t> examples, std::uint64_t seed,
                                  const TrainingContext& context);

// The result of a training without rounds, except for its model. It holds errors on the training side
// (examples that are left out do not count), scores on the test side where the context asks for them, a curve
// of one point (round 0, no loss), and the use of families. The model gets its largest score. number: the
// kind of the inputs. meters: of the fit; their seconds are kept. judged: none where all examples are.
// Errors: kStopped.
Result<TrainingResult> result_of_inputs(InputModel& model, const NumberScores& scores_of,
                                        FeatureNumber number, const Meters& meters,
                                        const TrainingContext& context, const JudgedExamples* judged);

// The same with the model.
template <class Kind>
Result<TrainingResult> finish_inputs(Kind model, FeatureNumber number, const Meters& meters,
                                     const TrainingContext& context, const JudgedExamples* judged = nullptr) {
  MASH_ASSIGN(TrainingResult result,
              result_of_inputs(model, number_scores(model), number, meters, context, judged));
  result.model = Model(std::move(model));
  return result;
}

}  // namespace mash
