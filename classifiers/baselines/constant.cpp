// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/constant.hpp"

#include "classifiers/learners/input_training.hpp"
#include "classifiers/learners/one_step.hpp"
#include "classifiers/learners/trained_head.hpp"

namespace mash {
namespace {

class Constant final : public OneStepLearner {
 public:
  LearnerTraits traits() const override { return {.weighs_examples = true}; }
  std::uint64_t training_bytes(const TrainingSize& size) const override { return size.score_bytes(); }

  Result<TrainingResult> train(std::uint64_t, const TrainingContext& context) const override {
    const Stopwatch watch;
    LinearModel model;
    static_cast<ModelHead&>(model) = trained_head(context.dataset, context.features);
    model.intercepts.resize(model.num_classes());
    const std::vector<double> weights = example_weights(context);
    double total = 0;
    for (std::size_t n = 0; n < weights.size(); ++n) {
      model.intercepts[context.dataset.train.labels[n]] += weights[n];
      total += weights[n];
    }
    for (double& share : model.intercepts) share /= total;
    Meters meters;
    meters.seconds = watch.seconds();
    return finish_inputs(std::move(model), FeatureNumber::kCode, meters, context);
  }
};

}  // namespace

Result<std::unique_ptr<const Learner>> make_constant(Settings&) {
  return std::unique_ptr<const Learner>(std::make_unique<const Constant>());
}

}  // namespace mash
