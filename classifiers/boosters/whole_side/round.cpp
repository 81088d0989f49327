// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side/round.hpp"

#include <algorithm>

#include "classifiers/boosters/loop/scores.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {
namespace {

// Before the first round.
SignedWeights first_weights(const RoundParts& parts, const TrainingContext& context) {
  SignedWeights weights = parts.examples.start(context.dataset, context.work.workers);
  if (!context.left_out.empty()) leave_out(context.left_out, context.work.workers, weights);
  if (!context.example_weights.empty()) weigh(context.example_weights, context.work.workers, weights);
  return weights;
}

class WholeSideTraining final : public RoundTraining {
 public:
  WholeSideTraining(const RoundSettings& settings, const RoundParts& parts, const SearchParts& search,
                    const TrainingContext& context)
      : settings_(settings),
        sampler_(search.sampler()),
        weak_(*search.weak),
        context_(context),
        weights_(first_weights(parts, context)),
        step_rule_(parts.step_rule(weights_, context.work.workers)),
        limit_(parts.limit),
        scan_(context.features, weights_, {parts.scan_mode, weak_.cuts(), &parts.criterion, parts.limit},
              context.work.workers),
        train_scores_(context.features.num_train(), context.dataset.num_classes(), context.work.workers) {}

  Status start(const TrainingPlan& plan) override {
    scan_.new_round(plan.seed, 0);
    return sampler_->start(scan_, plan);
  }

  void restore(std::span<const Hypothesis> hypotheses, std::span<const double> state,
               std::span<const double> weights) override {
    std::copy(weights.begin(), weights.end(), weights_.all().begin());
    weights_.update_example_weights(Workers(1));
    StateReader reader(state);
    if (limit_) {
      for (const Hypothesis& hypothesis : hypotheses) limit_->take(hypothesis);
      limit_->restore(reader.next_counted());
    }
    sampler_->restore(reader.rest());
    train_scores_.add(hypotheses, context_.features, Side::kTrain);
  }

  void show(std::span<const Hypothesis> hypotheses) override {
    if (limit_)
      for (const Hypothesis& hypothesis : hypotheses) limit_->take(hypothesis);
    train_scores_.add(hypotheses, context_.features, Side::kTrain);
  }

  RoundOutcome round(const Round& round) override {
    scan_.new_round(round.seed, round.number);
    if (limit_) limit_->begin_round();
    WeakHypothesis hypothesis = weak_.learn(scan_, *sampler_, round);
    RoundOutcome outcome{hypothesis.model, hypothesis.edge, 0};
    if (hypothesis.edge < kNoEdge) return outcome;
    outcome.exceeds_budget = limit_ && !limit_->admits(hypothesis.model);
    if (outcome.exceeds_budget) return outcome;
    const SecondsScope timed(scan_.ledger().meters().phases.update);
    outcome.loss_change_log10 = step_rule_->step(hypothesis, weights_, train_scores_);
    outcome.hypothesis.alpha = std::max(0.0, hypothesis.model.alpha);
    if (outcome.hypothesis.alpha == 0) return outcome;
    if (limit_) limit_->take(hypothesis.model);
    scan_.ledger().chosen(weights_.num_examples());
    train_scores_.add(std::move(hypothesis.cells), hypothesis.votes, hypothesis.model.alpha);
    if (round.number % settings_.recompute_every == 0) step_rule_->recompute(weights_, train_scores_);
    return outcome;
  }

  // The numbers of the limit, where there is one, after how many they are; then those of the sampler.
  std::vector<double> state() const override {
    StateWriter writer;
    if (limit_) writer.add_counted(limit_->state());
    writer.add_all(sampler_->state());
    return writer.take();
  }
  std::span<const double> weights() const override { return weights_.all(); }
  bool is_exhaustive() const override { return sampler_->is_exhaustive(); }
  bool keeps_examples() const override { return true; }
  double train_error() override {
    train_scores_.settle();
    return train_scores_.error(context_.dataset.train.labels);
  }
  Ledger& ledger() override { return scan_.ledger(); }

 private:
  const RoundSettings& settings_;
  std::unique_ptr<Sampler> sampler_;
  const WeakLearner& weak_;
  const TrainingContext& context_;
  SignedWeights weights_;
  std::unique_ptr<StepRule> step_rule_;
  RoundLimit* limit_;
  StumpScan scan_;
  Scores train_scores_;
};

}  // namespace

Result<TrainingResult> train_rounds(const RoundSettings& settings, const RoundParts& parts,
                                    const SearchParts& search, std::uint64_t seed,
                                    const TrainingContext& context) {
  WholeSideTraining training(settings, parts, search, context);
  return run_rounds(settings, training, seed, context);
}

}  // namespace mash
