// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side/adaboost_samme.hpp"

#include <algorithm>
#include <limits>

#include "classifiers/boosters/loop/weight_update.hpp"
#include "classifiers/learners/input_training.hpp"
#include "classifiers/scan/plurality_criterion.hpp"
#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

// A row has the example's weight at its own class and 0 at the others.
class OneWeightEach final : public ExampleSource {
 public:
  SignedWeights start(const Dataset& dataset, const Workers& workers) const override {
    SignedWeights weights(dataset.train.labels, dataset.num_classes());
    for (std::size_t n = 0; n < weights.num_examples(); ++n) weights.row(n)[weights.labels()[n]] = 1;
    weights.normalise(workers);
    return weights;
  }
};

class SammeStepRule final : public StepRule {
 public:
  // factors: of the examples' weights, those that they begin with.
  SammeStepRule(std::vector<double> factors, const Workers& workers)
      : factors_(std::move(factors)), workers_(workers) {}

  double step(WeakHypothesis& hypothesis, SignedWeights& weights, Scores&) override {
    const std::size_t num_classes = weights.num_classes();
    const auto chance = double(num_classes - 1) / double(num_classes);
    const double error = std::clamp((1 - hypothesis.edge) * chance, 0.0, 1.0);
    const SammeStep step = samme_step(error, num_classes, weights.num_examples());
    hypothesis.model.alpha = step.alpha;
    multiply_weights(hypothesis, weights, workers_, [&](std::size_t cell, std::size_t label, std::size_t) {
      return hypothesis.votes[cell * num_classes + label] > 0 ? step.right : step.wrong;
    });
    return stable_log10(step.loss_factor);
  }

  // The largest exponent is taken out first, so that nothing overflows. Examples that are left out stay so.
  void recompute(SignedWeights& weights, Scores& train_scores) override {
    train_scores.settle();
    const auto exponent = [&](std::size_t n) {
      const auto scores = train_scores.row(n);
      double mean = 0;
      for (const double score : scores) mean += score / double(scores.size());
      return mean - scores[weights.labels()[n]];
    };
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < weights.num_examples(); ++n)
      if (factors_[n] > 0) largest = std::max(largest, exponent(n));
    for (std::size_t n = 0; n < weights.num_examples(); ++n)
      weights.row(n)[weights.labels()[n]] = factors_[n] * stable_exp(exponent(n) - largest);
    weights.normalise(workers_);
  }

 private:
  std::vector<double> factors_;
  const Workers& workers_;
};

}  // namespace

SammeStep samme_step(double error, std::size_t num_classes, std::size_t num_examples) {
  require(num_classes >= 2, "num_classes >= 2");
  require(num_examples > 0, "num_examples > 0");
  require(error >= 0 && error <= 1, "0 <= error <= 1");
  const auto classes = double(num_classes);
  if (error >= 1 - 1 / classes) return {};
  const double held = std::max(error, 0.01 / double(num_examples));
  SammeStep step;
  step.alpha = std::max(0.0, stable_log((1 - held) / held * (classes - 1)));
  const double right = stable_exp(-step.alpha * (classes - 1) / classes),
               wrong = stable_exp(step.alpha / classes);
  step.loss_factor = (1 - error) * right + error * wrong;
  step.right = right / step.loss_factor;
  step.wrong = wrong / step.loss_factor;
  return step;
}

Status AdaBoostSamme::check(const WeakLearner& weak) const {
  if (!weak.needs_class_edges()) return Done{};
  return input_error(
      "booster adaboost.samme: found a weak learner with a vote for and against each class, "
      "expected stump, which chooses a class");
}

Result<TrainingResult> AdaBoostSamme::train(std::uint64_t seed, const TrainingContext& context) const {
  require(check(*search().weak).ok(), "AdaBoostSamme::train: check(*search().weak)");
  if (context.dataset.num_classes() < 2)
    return input_error("booster adaboost.samme: found data of one class, expected at least two");
  const auto step_rule = [&](const SignedWeights&, const Workers& workers) {
    return std::make_unique<SammeStepRule>(example_weights(context), workers);
  };
  return train_rounds(rounds_, {OneWeightEach(), ScanMode::kF64, plurality_criterion(), step_rule}, search(),
                      seed, context);
}

Result<std::unique_ptr<const Booster>> make_adaboost_samme(Settings& settings, SearchParts search) {
  RoundSettings rounds;
  MASH_ASSIGN(rounds.num_rounds, read_num_rounds(settings, 100));
  MASH_ASSIGN(rounds.stop_on_perfect, settings.boolean("stop_on_perfect", false));
  return {std::make_unique<const AdaBoostSamme>(rounds, std::move(search))};
}

}  // namespace mash
