// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/linear_scorer.hpp"

namespace mash {
namespace {

class LinearScorer final : public Scorer {
 public:
  explicit LinearScorer(const LinearModel& model) : Scorer(needed_features(model)), model_(model) {}

  void scores(std::span<const float> values, std::span<double> scores) const override {
    std::vector<float> numbers(model_.inputs.size());  // the inputs stand in the order of the values
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = model_.inputs[i].of(values[i]);
    linear_scores(model_, numbers, scores);
  }

 private:
  LinearModel model_;
};

}  // namespace

std::unique_ptr<Scorer> make_scorer(const LinearModel& model) {
  return std::make_unique<LinearScorer>(model);
}

}  // namespace mash
