// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/staged_errors.hpp"

#include "classifiers/boosters/loop/scores.hpp"
#include "classifiers/serving/cut_answers.hpp"

namespace mash {

std::vector<double> staged_test_errors(const StrongClassifier& model, const Dataset& dataset,
                                       const FeatureSet& features, const Workers& workers) {
  Scores scores(dataset.test.num_examples, dataset.num_classes(), workers);
  std::vector<double> errors{scores.error(dataset.test.labels)};
  for_each_cells(model.hypotheses, features, Side::kTest,
                 [&](const Hypothesis& hypothesis, std::vector<std::uint8_t> cells) {
                   scores.add(std::move(cells), cell_votes(hypothesis), hypothesis.alpha);
                   scores.settle();
                   errors.push_back(scores.error(dataset.test.labels));
                 });
  return errors;
}

}  // namespace mash
