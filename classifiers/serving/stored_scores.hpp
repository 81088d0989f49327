// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "classifiers/model/input_model.hpp"
#include "framework/base/work_context.hpp"
#include "framework/families/feature_matrix.hpp"
#include "framework/families/feature_set.hpp"

// Models with inputs, on features that are in the store. features: their families are those of the model, in
// the same order.
namespace mash {

// The numbers that the model reads: codes where all of its inputs are codes, else values, which codes follow
// from.
FeatureNumber number_of(const InputModel& model);

// Whether it can be applied to these features. Errors (kInput): a family has another number of features; the
// model reads codes of other thresholds than those of the store.
Status check_inputs(const InputModel& model, const FeatureSet& features);

// The scores of all examples of a side, num_examples x K. scores_of: number_scores of the model. number: of
// the model's inputs. REQUIRES: check_inputs; for kValue, `features` was opened with keep_values. Errors:
// kStopped.
Result<std::vector<double>> stored_scores(const InputModel& model, const NumberScores& scores_of,
                                          const FeatureSet& features, FeatureNumber number, Side side,
                                          const WorkContext& work);

}  // namespace mash
