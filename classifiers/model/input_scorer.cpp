// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/input_scorer.hpp"

namespace mash {
namespace {

template <class Kind>
class InputScorer final : public Scorer {
 public:
  explicit InputScorer(const Kind& model)
      : Scorer(needed_features(model)), model_(model), number_scores_(number_scores(model_)) {}

  void scores(std::span<const float> values, std::span<double> scores) const override {
    number_scores_(numbers_of(model_, values), scores);  // the inputs stand in the order of the values
  }

 private:
  Kind model_;
  NumberScores number_scores_;
};

}  // namespace

std::unique_ptr<Scorer> make_scorer(const LinearModel& model) {
  return std::make_unique<InputScorer<LinearModel>>(model);
}

std::unique_ptr<Scorer> make_scorer(const GaussianModel& model) {
  return std::make_unique<InputScorer<GaussianModel>>(model);
}

std::unique_ptr<Scorer> make_scorer(const KernelModel& model) {
  return std::make_unique<InputScorer<KernelModel>>(model);
}

std::unique_ptr<Scorer> make_scorer(const NeighboursModel& model) {
  return std::make_unique<InputScorer<NeighboursModel>>(model);
}

std::unique_ptr<Scorer> make_scorer(const TreeModel& model) {
  return std::make_unique<InputScorer<TreeModel>>(model);
}

}  // namespace mash
