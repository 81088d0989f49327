// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side/step_rule.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/boosters/loop/weight_update.hpp"
#include "classifiers/boosters/whole_side/searched_step.hpp"
#include "framework/base/elementary.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

// +1 where l is the example's class, else -1.
double sign_of(std::size_t label, std::size_t l) { return label == l ? 1.0 : -1.0; }

// For a loss with a closed step, whose weights are multiplied by one of two factors.
class ClosedStepRule final : public StepRule {
 public:
  ClosedStepRule(const Loss& loss, const SignedWeights& initial_weights, const Workers& workers)
      : loss_(loss),
        initial_(initial_weights.all().begin(), initial_weights.all().end()),
        workers_(workers) {}

  double step(WeakHypothesis& hypothesis, SignedWeights& weights, Scores&) override {
    for (const double vote : hypothesis.votes) require(std::abs(vote) == 1, "votes are -1 or +1");
    const ClosedStep step = loss_.closed_step(hypothesis.edge, weights.num_examples());
    hypothesis.model.alpha = step.alpha;
    const std::size_t num_classes = weights.num_classes();
    multiply_weights(hypothesis, weights, workers_, [&](std::size_t cell, std::size_t label, std::size_t l) {
      return hypothesis.votes[cell * num_classes + l] * sign_of(label, l) > 0 ? step.right : step.wrong;
    });
    return stable_log10(step.loss_factor);
  }

  // All margins are moved by the same amount, which changes the weights by a factor only: the smallest of
  // them to 0, so that nothing overflows.
  void recompute(SignedWeights& weights, Scores& train_scores) override {
    train_scores.settle();
    const std::size_t num_classes = weights.num_classes();
    const auto labels = weights.labels();
    const auto scores = train_scores.all();
    double smallest = 1e300;
    for (std::size_t n = 0; n < labels.size(); ++n)
      for (std::size_t l = 0; l < num_classes; ++l)
        if (initial_[n * num_classes + l] != 0)
          smallest = std::min(smallest, sign_of(labels[n], l) * scores[n * num_classes + l]);
    workers_.for_blocks(
        labels.size(), SignedWeights::kBlock, [&](std::size_t, std::size_t begin, std::size_t end) {
          std::vector<double> margins;
          for (std::size_t n = begin; n < end; ++n)
            for (std::size_t l = 0; l < num_classes; ++l)
              margins.push_back(sign_of(labels[n], l) * scores[n * num_classes + l] - smallest);
          loss_.weights(margins, margins);
          for (std::size_t i = 0; i < margins.size(); ++i)
            weights.all()[begin * num_classes + i] = initial_[begin * num_classes + i] * margins[i];
        });
    weights.normalise(workers_);
  }

 private:
  const Loss& loss_;
  std::vector<double> initial_;
  const Workers& workers_;
};

}  // namespace

std::unique_ptr<StepRule> make_step_rule(const Loss& loss, const SignedWeights& initial_weights,
                                         const Workers& workers) {
  if (loss.has_closed_step()) return std::make_unique<ClosedStepRule>(loss, initial_weights, workers);
  return make_searched_step_rule(loss, initial_weights, workers);
}

}  // namespace mash
