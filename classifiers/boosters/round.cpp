// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/round.hpp"

#include "classifiers/boosters/checkpoint.hpp"
#include "classifiers/boosters/scores.hpp"
#include "classifiers/serving/cut_answers.hpp"

namespace mash {
namespace {

constexpr double kNoEdge = 1e-12;
constexpr double kPerfectEdge = 1 - 1e-12;
constexpr std::uint32_t kMaxIdleRounds = 100;
constexpr double kSeparatedLoss = -300;  // log10
constexpr double kCheckpointSeconds = 2;

// 1, 2, 5, 10, 20, 50, ...: where the curve stands.
bool is_curve_round(std::uint32_t round) {
  while (round % 10 == 0) round /= 10;
  return round == 1 || round == 2 || round == 5;
}

// Before the first round.
SignedWeights first_weights(const RoundParts& parts, const TrainingContext& context) {
  SignedWeights weights = parts.examples.start(context.dataset, context.work.workers);
  if (!context.left_out.empty()) leave_out(context.left_out, context.work.workers, weights);
  return weights;
}

class Run {
 public:
  Run(const RoundSettings& settings, const RoundParts& parts, const SearchParts& search, std::uint64_t seed,
      const TrainingContext& context)
      : settings_(settings),
        sampler_(search.sampler()),
        weak_(*search.weak),
        seed_(seed),
        context_(context),
        weights_(first_weights(parts, context)),
        step_rule_(parts.step_rule(weights_, context.work.workers)),
        scan_(context.features, weights_, {parts.scan_mode, weak_.cuts(), &parts.criterion},
              context.work.workers),
        train_scores_(context.features.num_train(), context.dataset.num_classes(), context.work.workers),
        test_scores_(context.scores_test_side ? context.features.num_test() : 0,
                     context.dataset.num_classes(), context.work.workers) {}

  Result<TrainingResult> run() {
    MASH_TRY(start());
    TrainingResult& result = state_.result;
    context_.work.progress.start("training", settings_.num_rounds, "rounds");
    context_.work.progress.advance(result.num_rounds);
    if (result.status == TrainingStatus::kStopped) result.status = TrainingStatus::kComplete;
    while (result.num_rounds < settings_.num_rounds && result.status == TrainingStatus::kComplete) {
      result.status = context_.work.stop.raised() ? TrainingStatus::kStopped : one_round();
      const bool last =
          result.status != TrainingStatus::kComplete || result.num_rounds == settings_.num_rounds;
      if (last || checkpoint_watch_.seconds() > kCheckpointSeconds) MASH_TRY(keep(last));
    }
    context_.work.progress.finish();
    if (context_.scores_test_side) {
      if (result.curve.empty() || result.curve.back().round != result.num_rounds) add_curve_point();
      settle_test_scores();
      result.test_scores.assign(test_scores_.all().begin(), test_scores_.all().end());
    }
    finish_meters();
    result.model = Model(std::move(state_.model));
    return std::move(result);
  }

 private:
  // From the checkpoint where there is one, else from the beginning.
  Status start() {
    const Stopwatch watch;
    scan_.new_round(seed_, 0);
    MASH_TRY(sampler_->start(scan_, {seed_, settings_.num_rounds, context_.work.remarks}));
    scan_.ledger().meters().seconds += watch.seconds();
    if (!context_.checkpoint.empty() &&
        load_checkpoint(context_.checkpoint, context_.run_key, state_, weights_)) {
      scan_.ledger().meters() = state_.result.meters;
      scan_.ledger().looks() = state_.looks;
      sampler_->restore(state_.sampler);
      for (const Hypothesis& hypothesis : state_.model.hypotheses)
        train_scores_.add(cells_of(hypothesis, context_.features, Side::kTrain), cell_votes(hypothesis),
                          hypothesis.alpha);
      for (const RoundEvent& event : state_.events) context_.observer.on_round(event);
      for (const CurvePoint& point : state_.result.curve) context_.observer.on_curve(point);
      return Done{};
    }
    StrongClassifier& model = state_.model;
    model.class_names = context_.dataset.class_names;
    model.shape = context_.dataset.shape;
    model.column_names = context_.dataset.column_names;
    for (const FamilyInfo& family : context_.features.families())
      model.families.push_back({family.spec.name, family.spec.heuristic.id, family.spec.heuristic.version,
                                family.spec.values, family.dim});
    state_.result.families.resize(context_.features.num_families());
    return Done{};
  }

  TrainingStatus one_round() {
    const Stopwatch watch;
    TrainingResult& result = state_.result;
    const Round round{seed_, ++result.num_rounds};
    scan_.new_round(round.seed, round.number);
    WeakHypothesis hypothesis = weak_.learn(scan_, *sampler_, round);
    const bool found = hypothesis.edge >= kNoEdge && take(hypothesis);
    state_.num_idle = found ? 0 : state_.num_idle + 1;
    if (found && round.number % settings_.recompute_every == 0) {
      const SecondsScope timed(scan_.ledger().meters().phases.update);
      step_rule_->recompute(weights_, train_scores_);
    }
    scan_.ledger().meters().seconds += watch.seconds();
    tell(round.number, hypothesis);
    if (context_.scores_test_side && is_curve_round(round.number)) add_curve_point();
    if (!found && (sampler_->is_exhaustive() || state_.num_idle >= kMaxIdleRounds))
      return TrainingStatus::kNoWeakLearner;
    if (found && settings_.stop_on_perfect && hypothesis.edge > kPerfectEdge)
      return TrainingStatus::kSeparated;
    return is_separated() ? TrainingStatus::kSeparated : TrainingStatus::kComplete;
  }

  // Appends the hypothesis; false where its coefficient is 0.
  bool take(WeakHypothesis& hypothesis) {
    const SecondsScope timed(scan_.ledger().meters().phases.update);
    const double change = step_rule_->step(hypothesis, weights_, train_scores_);
    if (hypothesis.model.alpha <= 0) return false;
    scan_.ledger().chosen(weights_.num_examples());
    state_.train_loss_log10 += change;
    credit_families(hypothesis.model, -change);
    train_scores_.add(std::move(hypothesis.cells), hypothesis.votes, hypothesis.model.alpha);
    state_.model.hypotheses.push_back(hypothesis.model);
    return true;
  }

  // The cuts of a hypothesis share its coefficient and what it removed of the loss equally.
  void credit_families(const Hypothesis& hypothesis, double loss_removed) {
    const auto num_cuts = double(hypothesis.cuts.size());
    for (const Cut& cut : hypothesis.cuts) {
      FamilyUse& use = state_.result.families[cut.family_idx];
      ++use.chosen;
      use.alpha_sum += hypothesis.alpha / num_cuts;
      use.loss_removed += loss_removed / num_cuts;
    }
  }

  void tell(std::uint32_t round, const WeakHypothesis& hypothesis) {
    state_.events.push_back({round, hypothesis.model.cuts, hypothesis.edge, hypothesis.model.alpha,
                             state_.train_loss_log10, scan_.ledger().meters().fe,
                             scan_.ledger().meters().seconds});
    context_.observer.on_round(state_.events.back());
    context_.work.progress.advance(1);
  }

  bool is_separated() {
    if (state_.train_loss_log10 >= kSeparatedLoss) return false;
    train_scores_.settle();
    return train_scores_.error(context_.dataset.train.labels) == 0;
  }

  void add_curve_point() {
    train_scores_.settle();
    settle_test_scores();
    const CurvePoint point{state_.result.num_rounds,
                           state_.train_loss_log10,
                           train_scores_.error(context_.dataset.train.labels),
                           test_scores_.error(context_.dataset.test.labels),
                           scan_.ledger().meters().fe,
                           scan_.ledger().meters().seconds};
    state_.result.curve.push_back(point);
    context_.observer.on_curve(point);
    context_.work.progress.note(fmt::format("test error {:.2f} %", 100 * point.test_error));
  }

  void settle_test_scores() {
    const auto& hypotheses = state_.model.hypotheses;
    for (; num_test_scored_ < hypotheses.size(); ++num_test_scored_) {
      const Hypothesis& hypothesis = hypotheses[num_test_scored_];
      test_scores_.add(cells_of(hypothesis, context_.features, Side::kTest), cell_votes(hypothesis),
                       hypothesis.alpha);
    }
    test_scores_.settle();
  }

  void finish_meters() {
    state_.result.meters = scan_.ledger().meters();
    state_.looks = scan_.ledger().looks();
    for (std::size_t k = 0; k < state_.looks.size(); ++k) {
      state_.result.families[k].offered = state_.looks[k].offered;
      state_.result.families[k].evaluated = state_.looks[k].evaluated;
    }
  }

  // Writes the checkpoint; after the last round of a run that ended by itself only if it is asked for.
  Status keep(bool last) {
    checkpoint_watch_ = Stopwatch();
    if (context_.checkpoint.empty()) return Done{};
    if (last && state_.result.status != TrainingStatus::kStopped && !context_.keep_finished) return Done{};
    finish_meters();
    state_.sampler = sampler_->state();
    return save_checkpoint(context_.checkpoint, context_.run_key, state_, weights_);
  }

  const RoundSettings& settings_;
  std::unique_ptr<Sampler> sampler_;
  const WeakLearner& weak_;
  const std::uint64_t seed_;
  const TrainingContext& context_;
  SignedWeights weights_;
  std::unique_ptr<StepRule> step_rule_;
  StumpScan scan_;
  Scores train_scores_, test_scores_;
  std::size_t num_test_scored_ = 0;
  RunState state_;
  Stopwatch checkpoint_watch_;
};

}  // namespace

Result<TrainingResult> train_rounds(const RoundSettings& settings, const RoundParts& parts,
                                    const SearchParts& search, std::uint64_t seed,
                                    const TrainingContext& context) {
  return Run(settings, parts, search, seed, context).run();
}

}  // namespace mash
