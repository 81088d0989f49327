// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/round_loop.hpp"

#include <algorithm>
#include <array>

#include "classifiers/boosters/loop/checkpoint.hpp"
#include "classifiers/boosters/loop/scores.hpp"
#include "classifiers/learners/trained_head.hpp"

namespace mash {
namespace {

constexpr double kPerfectEdge = 1 - 1e-12;
// Training ends after this number of rounds in a row that found nothing, or of turns of each problem,
// whichever are more.
constexpr std::size_t kMaxIdleRounds = 100, kMaxIdleTurns = 10;
constexpr double kSeparatedLoss = -300;  // log10
constexpr double kCheckpointSeconds = 2;
// Weights of the examples; with more of them a finished training is not kept.
constexpr std::size_t kMostKeptBytes = std::size_t(256) << 20;

// 1, 2, 5, 10, 20, 50, ...: where the curve stands.
bool is_curve_round(std::uint32_t round) {
  while (round % 10 == 0) round /= 10;
  return round == 1 || round == 2 || round == 5;
}

class Loop {
 public:
  Loop(const LoopSettings& settings, RoundTraining& training, std::uint64_t seed,
       const TrainingContext& context)
      : settings_(settings),
        training_(training),
        seed_(seed),
        context_(context),
        test_scores_(context.scores_test_side() ? context.features.num_test() : 0,
                     context.dataset.num_classes(), context.work.workers) {}

  Result<TrainingResult> run() {
    MASH_TRY(start());
    TrainingResult& result = state_.result;
    context_.work.progress.start("training", settings_.num_rounds, "rounds");
    context_.work.progress.advance(result.num_rounds);
    while (result.num_rounds < settings_.num_rounds && result.status == TrainingStatus::kComplete) {
      result.status = context_.work.stop.raised() ? TrainingStatus::kStopped : one_round();
      const bool last =
          result.status != TrainingStatus::kComplete || result.num_rounds == settings_.num_rounds;
      if (last || checkpoint_watch_.seconds() > kCheckpointSeconds) MASH_TRY(keep(last));
    }
    context_.work.progress.finish();
    take_whole_model();
    if (context_.scores_test_side()) {
      if (result.curve.empty() || result.curve.back().round != result.num_rounds) add_curve_point();
      settle_test_scores();
      result.test_scores.assign(test_scores_.all().begin(), test_scores_.all().end());
    }
    finish_meters();
    result.model = Model(std::move(state_.model));
    return std::move(result);
  }

 private:
  Meters& meters() { return training_.ledger().meters(); }

  // From rounds that were trained before where there are some, else from the beginning.
  Status start() {
    if (take_first_rounds()) return Done{};
    const Stopwatch watch;
    MASH_TRY(training_.start({seed_, settings_.num_rounds, context_.work.remarks}));
    meters().seconds += watch.seconds();
    if (load_kept() || load_finished()) return Done{};
    state_.model = {trained_head(context_.dataset, context_.features), {}, {}};
    state_.result.families.resize(context_.features.num_families());
    state_.log = RoundLog(context_.features.num_families());
    const Stopwatch begin_watch;
    const Status begun = training_.begin();
    meters().seconds += begin_watch.seconds();
    if (begun.ok() || begun.error().kind != ErrorKind::kStopped) return begun;
    state_.result.status = TrainingStatus::kStopped;
    return Done{};
  }

  // Whether there was a checkpoint, with which the run goes on.
  bool load_kept() {
    std::vector<double> weights(training_.weights().size());
    if (context_.checkpoint.empty() ||
        !load_checkpoint(context_.checkpoint, context_.run_key, state_, weights))
      return false;
    if (state_.result.status == TrainingStatus::kStopped) state_.result.status = TrainingStatus::kComplete;
    if (state_.result.num_rounds < settings_.num_rounds)
      context_.work.remarks.tell(
          fmt::format("seed {}: goes on after round {} of {}, where it was interrupted", seed_,
                      state_.result.num_rounds, settings_.num_rounds));
    go_on_from_state(weights);
    return true;
  }

  // The finished training of the same rounds. Nothing where there is none, or it has none that this one can
  // use.
  std::optional<std::vector<double>> load_rounds() {
    std::vector<double> weights(training_.weights().size());
    if (context_.rounds_file.empty() ||
        !load_checkpoint(context_.rounds_file, context_.rounds_key, state_, weights))
      return std::nullopt;
    return weights;
  }

  // Whether there was a finished training of as many rounds or fewer, with which the run goes on.
  bool load_finished() {
    const auto weights = load_rounds();
    if (!weights || state_.result.num_rounds > settings_.num_rounds) {
      state_ = RunState();
      return false;
    }
    const std::uint32_t num_rounds = state_.result.num_rounds;
    const bool is_whole =
        num_rounds == settings_.num_rounds || state_.result.status != TrainingStatus::kComplete;
    context_.work.remarks.tell(
        is_whole ? fmt::format("seed {}: its {} rounds were trained before", seed_, num_rounds)
                 : fmt::format("seed {}: goes on after round {} of {}, where an earlier training ended",
                               seed_, num_rounds, settings_.num_rounds));
    go_on_from_state(*weights);
    return true;
  }

  // Whether there was a finished training of more rounds, the first of which are this run.
  bool take_first_rounds() {
    const std::uint32_t num_rounds = settings_.num_rounds;
    if (!load_rounds() || state_.result.num_rounds <= num_rounds || state_.log.size() < num_rounds) {
      state_ = RunState();
      return false;
    }
    context_.work.remarks.tell(
        fmt::format("seed {}: its {} rounds are the first of the {} of an earlier training", seed_,
                    num_rounds, state_.result.num_rounds));
    cut_off(num_rounds);
    take_costs();
    training_.show(state_.model.hypotheses);
    tell_rounds();
    return true;
  }

  // The state after this round, which it has passed.
  void cut_off(std::uint32_t round) {
    state_.events.resize(round);
    const auto num_hypotheses =
        std::ranges::count_if(state_.events, [](const RoundEvent& event) { return event.alpha > 0; });
    state_.model.hypotheses.resize(std::size_t(num_hypotheses));
    TrainingResult& result = state_.result;
    for (FamilyUse& use : result.families) use = {};
    auto hypothesis = state_.model.hypotheses.begin();
    for (const RoundEvent& event : state_.events)
      if (event.alpha > 0) credit_families(*hypothesis++, -state_.log.change(event.round).loss_change_log10);
    std::erase_if(result.curve, [&](const CurvePoint& point) { return point.round > round; });
    const RoundEvent& last = state_.events.back();
    const RoundCosts costs = state_.log.costs(round);
    result.meters = {last.cost, costs.ops, costs.ue, costs.once, last.seconds, costs.phases};
    result.num_rounds = round;
    result.status = TrainingStatus::kComplete;
    state_.looks = costs.looks;
    state_.train_loss_log10 = last.train_loss_log10;
    error_of_last_ = state_.log.change(round).train_error;
  }

  void go_on_from_state(std::span<const double> weights) {
    take_costs();
    training_.restore(state_.model.hypotheses, state_.training, weights);
    tell_rounds();
  }

  void take_costs() {
    meters() = state_.result.meters;
    training_.ledger().looks() = state_.looks;
  }

  void tell_rounds() {
    for (const RoundEvent& event : state_.events) context_.observer.on_round(event);
    for (const CurvePoint& point : state_.result.curve) context_.observer.on_curve(point);
  }

  TrainingStatus one_round() {
    const Stopwatch watch;
    const Round round{seed_, ++state_.result.num_rounds};
    RoundOutcome outcome = training_.round(round);
    const bool found = outcome.hypothesis.alpha > 0 || outcome.changes_all;
    state_.num_idle = found ? 0 : state_.num_idle + 1;
    if (found) take(outcome);
    meters().seconds += watch.seconds();
    const double loss_change = found ? outcome.loss_change_log10 : 0;
    if (!context_.rounds_file.empty())
      state_.log.add(round.number, {loss_change, training_.passing_error()}, meters(),
                     training_.ledger().looks());
    tell(round.number, outcome);
    if (context_.scores_test_side() && is_curve_round(round.number)) add_curve_point();
    if (outcome.exceeds_budget) return TrainingStatus::kBudgetSpent;
    if (outcome.reaches_error) return TrainingStatus::kErrorReached;
    if (!found && (training_.is_exhaustive() || state_.num_idle >= most_idle_rounds()))
      return TrainingStatus::kNoWeakLearner;
    if (found && settings_.stop_on_perfect && outcome.edge > kPerfectEdge) return TrainingStatus::kSeparated;
    return is_separated() ? TrainingStatus::kSeparated : TrainingStatus::kComplete;
  }

  std::size_t most_idle_rounds() const {
    return std::max(kMaxIdleRounds, kMaxIdleTurns * training_.num_problems());
  }

  void take(const RoundOutcome& outcome) {
    state_.train_loss_log10 += outcome.loss_change_log10;
    has_other_model_ = outcome.changes_all;
    if (outcome.changes_all) return;
    credit_families(outcome.hypothesis, -outcome.loss_change_log10);
    state_.model.hypotheses.push_back(outcome.hypothesis);
  }

  // In the place of what there was, where rounds have changed it.
  void take_whole_model() {
    if (!has_other_model_) return;
    has_other_model_ = false;
    state_.model.hypotheses = training_.whole_model();
    test_scores_.clear();
    num_test_scored_ = 0;
    for (FamilyUse& use : state_.result.families) use = {};
    for (const Hypothesis& hypothesis : state_.model.hypotheses) credit_families(hypothesis, 0);
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

  void tell(std::uint32_t round, RoundOutcome& outcome) {
    state_.events.push_back({round, std::move(outcome.hypothesis.cuts), outcome.edge,
                             outcome.hypothesis.alpha, state_.train_loss_log10, meters().fe,
                             meters().seconds});
    context_.observer.on_round(state_.events.back());
    context_.work.progress.advance(1);
  }

  bool is_separated() {
    return training_.keeps_examples() && state_.train_loss_log10 < kSeparatedLoss &&
           training_.train_error() == 0;
  }

  void add_curve_point() {
    const double train_error = error_of_last_ ? *error_of_last_ : training_.train_error();
    settle_test_scores();
    const CurvePoint point{state_.result.num_rounds,
                           state_.train_loss_log10,
                           train_error,
                           test_scores_.error(context_.dataset.test.labels),
                           meters().fe,
                           meters().seconds};
    state_.result.curve.push_back(point);
    context_.observer.on_curve(point);
    context_.work.progress.note(fmt::format("test error {:.2f} %", 100 * point.test_error));
  }

  void settle_test_scores() {
    take_whole_model();
    const std::span<const Hypothesis> hypotheses = state_.model.hypotheses;
    test_scores_.add(hypotheses.subspan(num_test_scored_), context_.features, Side::kTest);
    num_test_scored_ = hypotheses.size();
    test_scores_.settle();
  }

  void finish_meters() {
    state_.result.meters = meters();
    state_.looks = training_.ledger().looks();
    for (std::size_t k = 0; k < state_.looks.size(); ++k) {
      state_.result.families[k].offered = state_.looks[k].offered;
      state_.result.families[k].evaluated = state_.looks[k].evaluated;
    }
  }

  // Writes the checkpoint; after the last round of a run that ended by itself only if it is asked for.
  Status keep(bool last) {
    checkpoint_watch_ = Stopwatch();
    const bool is_finished = last && state_.result.status != TrainingStatus::kStopped;
    if (is_finished) keep_rounds();
    if (context_.checkpoint.empty() || (is_finished && !context_.keep_finished)) return Done{};
    return save(context_.checkpoint, context_.run_key);
  }

  Status save(const std::filesystem::path& path, const std::string& key) {
    take_whole_model();
    finish_meters();
    state_.training = training_.state();
    return save_checkpoint(path, key, state_, training_.weights());
  }

  // For trainings of another number of rounds. Where the file cannot be written, these train again.
  void keep_rounds() {
    if (context_.rounds_file.empty() || training_.weights().size_bytes() > kMostKeptBytes) return;
    RunState kept;
    std::vector<double> weights(training_.weights().size());
    if (load_checkpoint(context_.rounds_file, context_.rounds_key, kept, weights) &&
        kept.result.num_rounds >= state_.result.num_rounds)
      return;
    if (const Status saved = save(context_.rounds_file, context_.rounds_key); !saved.ok())
      context_.work.remarks.warn(
          fmt::format("the rounds of this training are not kept for others: {}", saved.error().message));
  }

  const LoopSettings& settings_;
  RoundTraining& training_;
  const std::uint64_t seed_;
  const TrainingContext& context_;
  Scores test_scores_;
  std::size_t num_test_scored_ = 0;
  bool has_other_model_ = false;  // than state_.model
  RunState state_;
  std::optional<double>
      error_of_last_;  // the training error, where `state_` was cut off and the model does not say
  Stopwatch checkpoint_watch_;
};

}  // namespace

Result<std::uint32_t> read_num_rounds(Settings& settings, std::uint32_t fallback) {
  MASH_ASSIGN(const auto rounds, settings.integer("rounds", fallback, 1, 10'000'000));
  return std::uint32_t(rounds);
}

Result<ScanMode> read_scan_mode(Settings& settings) {
  constexpr std::array kModes{Choice{"i16", ScanMode::kI16}, Choice{"i8", ScanMode::kI8},
                              Choice{"f64", ScanMode::kF64}};
  return settings.one_of("scan", ScanMode::kI16, kModes);
}

Result<TrainingResult> run_rounds(const LoopSettings& settings, RoundTraining& training, std::uint64_t seed,
                                  const TrainingContext& context) {
  return Loop(settings, training, seed, context).run();
}

}  // namespace mash
