// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/one_vs_all.hpp"

#include <algorithm>
#include <utility>

#include "classifiers/losses/logistic.hpp"
#include "classifiers/scan/regression_criterion.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {
namespace {

// Data of a search of one problem.
class ProblemScan {
 public:
  // rows: of each training example of `features` what the criterion wants, not all 0.
  ProblemScan(const ScanSettings& settings, const FeatureSet& features, std::span<const double> rows,
              const Workers& workers)
      : labels_(features.num_train()),
        weights_(labels_, rows.size() / labels_.size()),
        scan_(features, weights_, settings, workers) {
    std::copy(rows.begin(), rows.end(), weights_.all().begin());
    weights_.update_example_weights(workers);
    weights_.normalise(workers);
  }
  StumpScan& scan() { return scan_; }

 private:
  std::vector<std::uint16_t> labels_;  // all 0: the signs of the rows say who is on which side
  SignedWeights weights_;
  StumpScan scan_;
};

class OneVsAllTraining final : public RoundTraining {
 public:
  OneVsAllTraining(const OneVsAll::Options& options, const SearchParts& search, const PlanGround& ground)
      : scan_settings_{options.scan, search.weak->cuts(),
                       options.is_classical ? &regression_criterion() : &hamming_criterion()},
        weak_(*search.weak),
        problems_(ground.problems),
        parts_(options.parts(ground)),
        context_(ground.context),
        ledger_(context_.features, 1),
        losses_(problems_.size(), 1.0) {
    for (std::size_t p = 0; p < problems_.size(); ++p) samplers_.push_back(search.sampler());
  }

  Status start(const TrainingPlan& plan) override {
    TrainingPlan of_one = plan;
    of_one.num_rounds = plan.num_rounds / std::uint32_t(problems_.size());
    const RoundExamples first = parts_.plan->before_rounds();
    for (std::size_t p = 0; p < problems_.size(); ++p) {
      ProblemScan problem(scan_settings_, features_of(first), parts_.steps->rows(p, first),
                          context_.work.workers);
      problem.scan().new_round(plan.seed, 0);
      MASH_TRY(samplers_[p]->start(problem.scan(), of_one));
      ledger_.add(problem.scan().ledger());
    }
    return Done{};
  }

  // state: the losses, num_at_turn_, then of each problem how many numbers its sampler has, and these; then
  // the plan's.
  std::vector<double> state() const override {
    StateWriter writer;
    writer.add_all(losses_);
    writer.add(num_at_turn_);
    for (const auto& sampler : samplers_) writer.add_counted(sampler->state());
    writer.add_all(parts_.plan->state());
    return writer.take();
  }

  void restore(std::span<const Hypothesis> hypotheses, std::span<const double> state,
               std::span<const double>) override {
    StateReader reader(state);
    for (double& loss : losses_) loss = reader.next();
    num_at_turn_ = reader.next<std::size_t>();
    for (const auto& sampler : samplers_) sampler->restore(reader.next_counted());
    ExamplePlan& plan = *parts_.plan;
    for (; num_hypotheses_ < hypotheses.size(); ++num_hypotheses_) {
      if (num_hypotheses_ == num_at_turn_) plan.end_turn();
      const Hypothesis& hypothesis = hypotheses[num_hypotheses_];
      const std::size_t problem = problems_.problem_of(hypothesis);
      plan.replay(problem, problems_.of_one_class(problem, hypothesis));
    }
    if (num_hypotheses_ == num_at_turn_) plan.end_turn();
    plan.restore(reader.rest());
  }

  void show(std::span<const Hypothesis> hypotheses) override {
    for (const Hypothesis& hypothesis : hypotheses) {
      const std::size_t problem = problems_.problem_of(hypothesis);
      parts_.plan->replay(problem, problems_.of_one_class(problem, hypothesis));
    }
  }

  RoundOutcome round(const Round& round) override {
    const std::size_t problem = (round.number - 1) % problems_.size();
    RoundOutcome outcome = search(round, problem);
    if (outcome.hypothesis.alpha != 0) ++num_hypotheses_;
    if (problem + 1 == problems_.size() && parts_.plan->end_turn()) num_at_turn_ = num_hypotheses_;
    outcome.reaches_error = parts_.plan->has_ended();
    return outcome;
  }

  std::span<const double> weights() const override { return {}; }
  bool is_exhaustive() const override {
    return problems_.size() == 1 && parts_.plan->is_fixed() && samplers_[0]->is_exhaustive();
  }
  std::size_t num_problems() const override { return problems_.size(); }
  bool keeps_examples() const override { return parts_.plan->is_fixed(); }
  double train_error() override { return parts_.plan->error(); }
  std::optional<double> passing_error() const override {
    return parts_.plan->error_follows() ? std::nullopt : std::optional(parts_.plan->error());
  }
  Ledger& ledger() override { return ledger_; }

 private:
  const FeatureSet& features_of(const RoundExamples& examples) const {
    return examples.features ? *examples.features : context_.features;
  }

  RoundOutcome search(const Round& round, std::size_t problem) {
    const RoundExamples examples = parts_.plan->next(problem, round);
    ledger_.chosen(examples.num_asked);
    ledger_.meters().fe += examples.num_looked;
    const std::vector<double> rows = parts_.steps->rows(problem, examples);
    RoundOutcome idle;
    idle.hypothesis.cuts = {{0, 0, kConstant}};
    if (std::all_of(rows.begin(), rows.end(), [](double w) { return w == 0; })) return idle;
    ProblemScan searched(scan_settings_, features_of(examples), rows, context_.work.workers);
    searched.scan().new_round(round.seed, round.number);
    WeakHypothesis found = weak_.learn(searched.scan(), *samplers_[problem], round);
    ledger_.add(searched.scan().ledger());
    return found.edge < kNoEdge ? idle : take(problem, examples, found);
  }

  RoundOutcome take(std::size_t problem, const RoundExamples& examples, WeakHypothesis& found) {
    const SecondsScope timed(ledger_.meters().phases.update);
    const Step step = parts_.steps->choose(problem, examples, found, losses_[problem]);
    ledger_.chosen(step.num_asked);
    found.model.alpha = step.alpha;
    RoundOutcome outcome{.hypothesis = problems_.of_all_classes(problem, found.model), .edge = found.edge};
    if (step.alpha == 0) return outcome;
    ledger_.chosen(parts_.plan->add(problem, found.model, found.cells));
    outcome.loss_change_log10 = parts_.steps->settle(problem, step, losses_);
    return outcome;
  }

  const ScanSettings scan_settings_;
  const WeakLearner& weak_;
  const BinaryProblems& problems_;
  const ProblemParts parts_;
  const TrainingContext& context_;
  Ledger ledger_;
  std::vector<double> losses_;      // of each problem, as StepChoice::settle sets them
  std::size_t num_hypotheses_ = 0;  // now
  std::size_t num_at_turn_ = 0;     // at the last end of a turn that changed examples
  std::vector<std::unique_ptr<Sampler>> samplers_;
};

}  // namespace

Status OneVsAll::check(const WeakLearner& weak) const {
  if (options_.is_classical && weak.needs_class_edges())
    return input_error(
        "booster {}: found a weak learner that votes +1 or -1, expected stump, whose votes may have any size",
        options_.name);
  if (options_.takes_exact_cuts || weak.cuts() == Cuts::kCodes) return Done{};
  return input_error("booster {}: found cuts: exact, expected codes", options_.name);
}

LearnerTraits OneVsAll::traits() const {
  LearnerTraits traits = Booster::traits();
  traits.takes_endless = options_.takes_endless;
  return traits;
}

Result<TrainingResult> OneVsAll::train(std::uint64_t seed, const TrainingContext& context) const {
  const std::size_t num_classes = context.dataset.num_classes();
  if (num_classes < 2) return input_error("found data of one class, expected at least two");
  const BinaryProblems problems(context.dataset.train, num_classes);
  const PlanGround ground{problems,       logistic_loss(), context, seed, search().sampler()->is_exhaustive(),
                          options_.shrink};
  OneVsAllTraining training(options_, search(), ground);
  const LoopSettings loop{.num_rounds = rounds_of_all(options_.num_rounds, num_classes)};
  return run_rounds(loop, training, seed, context);
}

Result<double> read_shrink(Settings& settings) { return settings.real("shrink", 1, 1e-6, 1); }

}  // namespace mash
