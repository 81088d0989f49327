// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/model/model.hpp"
#include "classifiers/serving/paid_predictor.hpp"
#include "framework/base/work_context.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/operations/bundle/tables.hpp"

namespace mash {

// The check pictures of a shape (check_pictures.hpp) in that shape, as pictures are read for prediction.
Split check_examples(const ImageShape& shape);

// The answers of heuristics and model to the check pictures. model: with the hypotheses that the bundle has.
// Errors: a heuristic's own; it is missing or of another version (kInput); kStopped.
Result<ExpectedAnswers> expected_answers(const Model& model, Catalogue& catalogue);

// The same within a budget, without scores. planned: the hypotheses that the budget pays for.
Result<ExpectedAnswers> expected_answers_within(const StrongClassifier& planned,
                                                const PaidPredictor& predictor, const BudgetRule& rule,
                                                Catalogue& catalogue, const WorkContext& work);

}  // namespace mash
