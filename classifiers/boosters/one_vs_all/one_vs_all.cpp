// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/one_vs_all.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "classifiers/boosters/loop/training_side.hpp"
#include "classifiers/losses/line_search.hpp"
#include "classifiers/losses/logistic.hpp"
#include "classifiers/losses/working_response.hpp"
#include "classifiers/scan/regression_criterion.hpp"
#include "framework/base/elementary.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {
namespace {

// y F of some examples of one problem, y h of a hypothesis there, and how often each counts.
struct Margins {
  std::vector<double> margins, agreements, counts;

  std::vector<double> after(double alpha) const {
    std::vector<double> moved = margins;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += alpha * agreements[i];
    return moved;
  }
};

double mean_loss(const Loss& loss, const Margins& at, double alpha) {
  std::vector<double> values = at.after(alpha);
  loss.values(values, values);
  return std::inner_product(values.begin(), values.end(), at.counts.begin(), 0.0) /
         std::accumulate(at.counts.begin(), at.counts.end(), 0.0);
}

// The step that minimises the loss, 0 where there is nothing to be gained.
double best_step(const Loss& loss, const Margins& at) {
  const auto slope = [&](double alpha) {
    const std::vector<double> margins = at.after(alpha);
    std::vector<double> weights(margins.size()), curvatures(margins.size());
    loss.weights(margins, weights);
    loss.curvatures(margins, curvatures);
    Slope sum;
    for (std::size_t i = 0; i < margins.size(); ++i) {
      sum.first -= at.counts[i] * weights[i] * at.agreements[i];
      sum.second += at.counts[i] * curvatures[i] * at.agreements[i] * at.agreements[i];
    }
    return sum;
  };
  return line_search(slope, 1e-10 * double(at.margins.size()));
}

// What a search of one problem works on.
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
        is_classical_(options.is_classical),
        shrink_(options.shrink),
        weak_(*search.weak),
        problems_(ground.problems),
        loss_(ground.loss),
        plan_(options.plan(ground)),
        context_(ground.context),
        ledger_(context_.features, 1),
        losses_(problems_.size(), 1.0) {
    for (std::size_t p = 0; p < problems_.size(); ++p) samplers_.push_back(search.sampler());
  }

  Status start(const TrainingPlan& plan) override {
    // As many examples as a round has, evenly over those that may be trained on.
    const auto all = trained_on(problems_.num_examples(), context_.left_out);
    const std::size_t size = std::min(plan_->size(), all.size());
    std::vector<std::uint32_t> examples;
    for (std::size_t i = 0; i < size; ++i) examples.push_back(all[i * all.size() / size]);
    const FeatureSet view = context_.features.of_rows(examples);
    const bool is_whole = size == problems_.num_examples();
    TrainingPlan of_one = plan;
    of_one.num_rounds = plan.num_rounds / std::uint32_t(problems_.size());
    const double at_first = plan_->uses_softmax() ? -stable_log(double(problems_.size() - 1)) : 0;
    const RoundExamples first{.examples = examples,
                              .weights = std::vector<double>(size, 1.0),
                              .sums = std::vector<double>(size, at_first),
                              .counts = {},
                              .features = std::nullopt};
    for (std::size_t p = 0; p < problems_.size(); ++p) {
      ProblemScan problem(scan_settings_, is_whole ? context_.features : view, rows_of(p, first),
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
    writer.add_all(plan_->state());
    return writer.take();
  }

  void restore(std::span<const Hypothesis> hypotheses, std::span<const double> state,
               std::span<const double>) override {
    StateReader reader(state);
    for (double& loss : losses_) loss = reader.next();
    num_at_turn_ = reader.next<std::size_t>();
    for (const auto& sampler : samplers_) sampler->restore(reader.next_counted());
    for (; num_hypotheses_ < hypotheses.size(); ++num_hypotheses_) {
      if (num_hypotheses_ == num_at_turn_ && plan_->uses_softmax()) plan_->finish_turn();
      const Hypothesis& hypothesis = hypotheses[num_hypotheses_];
      const std::size_t problem = problems_.problem_of(hypothesis);
      plan_->replay(problem, problems_.of_one_class(problem, hypothesis));
    }
    if (num_hypotheses_ == num_at_turn_ && plan_->uses_softmax()) plan_->finish_turn();
    plan_->restore(reader.rest());
  }

  RoundOutcome round(const Round& round) override {
    const std::size_t problem = (round.number - 1) % problems_.size();
    RoundOutcome outcome = search(round, problem);
    if (outcome.hypothesis.alpha != 0) ++num_hypotheses_;
    if (plan_->uses_softmax() && problem + 1 == problems_.size()) {
      plan_->finish_turn();
      num_at_turn_ = num_hypotheses_;
    }
    outcome.reaches_error = plan_->has_ended();
    return outcome;
  }

  std::span<const double> weights() const override { return {}; }
  bool is_exhaustive() const override {
    return problems_.size() == 1 && plan_->is_fixed() && samplers_[0]->is_exhaustive();
  }
  std::size_t num_problems() const override { return problems_.size(); }
  bool keeps_examples() const override { return plan_->is_fixed(); }
  double train_error() override { return plan_->error(); }
  Ledger& ledger() override { return ledger_; }

 private:
  // What the training of one problem steps by, and its mean loss before and after that (none with softmax).
  struct Step {
    double alpha = 0, before = 0, after = 0;
  };

  // What the criterion wants of each example: its weight, or its working response and the weight of that,
  // with the sign of its side.
  std::vector<double> rows_of(std::size_t problem, const RoundExamples& examples) const {
    std::vector<double> rows;
    for (std::size_t i = 0; i < examples.examples.size(); ++i) {
      const double sign = problems_.sign(problem, examples.examples[i]);
      if (!is_classical_) {
        rows.push_back(examples.weights[i] * sign);
        continue;
      }
      const WorkingResponse response = working_response(sign * examples.sums[i]);
      const double weight = (examples.counts.empty() ? 1 : examples.counts[i]) * response.weight;
      rows.push_back(weight * response.size * sign);
      rows.push_back(weight);
    }
    return rows;
  }

  RoundOutcome search(const Round& round, std::size_t problem) {
    const RoundExamples examples = plan_->next(problem, round);
    ledger_.chosen(examples.num_asked);
    ledger_.meters().fe += examples.num_looked;
    const std::vector<double> rows = rows_of(problem, examples);
    RoundOutcome idle;
    idle.hypothesis.cuts = {{0, 0, kConstant}};
    if (std::all_of(rows.begin(), rows.end(), [](double w) { return w == 0; })) return idle;
    ProblemScan searched(scan_settings_, examples.features ? *examples.features : context_.features, rows,
                         context_.work.workers);
    searched.scan().new_round(round.seed, round.number);
    WeakHypothesis found = weak_.learn(searched.scan(), *samplers_[problem], round);
    ledger_.add(searched.scan().ledger());
    return found.edge < kNoEdge ? idle : take(problem, examples, found);
  }

  // votes: of the hypothesis, for each of its cells.
  Margins margins_on(std::size_t problem, const StepExamples& examples, std::span<const double> votes) const {
    Margins at{{}, {}, {examples.counts.begin(), examples.counts.end()}};
    if (at.counts.empty()) at.counts.assign(examples.examples.size(), 1.0);
    at.margins = problems_.margins(problem, examples.examples, examples.sums);
    for (std::size_t i = 0; i < examples.examples.size(); ++i)
      at.agreements.push_back(problems_.sign(problem, examples.examples[i]) * votes[examples.cells[i]]);
    return at;
  }

  Step best_step_on(std::size_t problem, const StepExamples& examples, std::span<const double> votes) const {
    const Margins at = margins_on(problem, examples, votes);
    const bool any_counts = std::any_of(at.counts.begin(), at.counts.end(), [](double c) { return c > 0; });
    const double alpha = any_counts ? shrink_ * best_step(loss_, at) : 0;
    return alpha == 0 ? Step() : Step{alpha, mean_loss(loss_, at, 0), mean_loss(loss_, at, alpha)};
  }

  // The votes of the hypothesis are steps already: the largest becomes its coefficient.
  Step step_of_votes(std::size_t problem, const RoundExamples& examples, WeakHypothesis& found) const {
    double largest = 0;
    for (const double vote : found.votes) largest = std::max(largest, std::abs(vote));
    if (largest == 0) return {};
    for (double& vote : found.model.votes) vote /= largest;
    found.votes = cell_votes(found.model);
    if (plan_->uses_softmax()) {
      const auto num_classes = double(problems_.size());
      return {shrink_ * largest * (num_classes - 1) / num_classes, 0, 0};
    }
    const Margins at =
        margins_on(problem, {examples.examples, examples.sums, examples.counts, found.cells}, found.votes);
    const double alpha = shrink_ * largest;
    return {alpha, mean_loss(loss_, at, 0), mean_loss(loss_, at, alpha)};
  }

  Step step_of(std::size_t problem, const RoundExamples& examples, WeakHypothesis& found) {
    if (is_classical_) return step_of_votes(problem, examples, found);
    found.model.alpha = 1;
    if (const auto own = plan_->own_step(problem, found.model)) {
      ledger_.chosen(own->num_asked);
      if (own->alpha < 0)
        for (double& vote : found.model.votes) vote = -vote;
      return {std::abs(own->alpha), losses_[problem], losses_[problem] * own->loss_factor};
    }
    if (const auto others = plan_->step_examples(problem, found.model)) {
      ledger_.chosen(others->cells.size());
      return best_step_on(problem, *others, found.votes);
    }
    return best_step_on(problem, {examples.examples, examples.sums, examples.counts, found.cells},
                        found.votes);
  }

  RoundOutcome take(std::size_t problem, const RoundExamples& examples, WeakHypothesis& found) {
    const SecondsScope timed(ledger_.meters().phases.update);
    const Step step = step_of(problem, examples, found);
    found.model.alpha = step.alpha;
    RoundOutcome outcome{.hypothesis = problems_.of_all_classes(problem, found.model), .edge = found.edge};
    if (step.alpha == 0) return outcome;
    ledger_.chosen(plan_->add(problem, found.model, found.cells));
    if (plan_->uses_softmax()) {
      const double before = std::exchange(losses_[0], plan_->cross_entropy());
      outcome.loss_change_log10 = stable_log10(losses_[0] / before);
      return outcome;
    }
    losses_[problem] = step.before;
    const double before = std::accumulate(losses_.begin(), losses_.end(), 0.0);
    losses_[problem] = step.after;
    const double after = std::accumulate(losses_.begin(), losses_.end(), 0.0);
    outcome.loss_change_log10 = stable_log10(after / before);
    return outcome;
  }

  const ScanSettings scan_settings_;
  const bool is_classical_;
  const double shrink_;
  const WeakLearner& weak_;
  const BinaryProblems& problems_;
  const Loss& loss_;
  std::unique_ptr<ExamplePlan> plan_;
  const TrainingContext& context_;
  Ledger ledger_;
  // The mean loss of each problem on what its last round trained on; with softmax the first is that of all.
  std::vector<double> losses_;
  std::size_t num_hypotheses_ = 0, num_at_turn_ = 0;  // now, and when all problems had had a round
  std::vector<std::unique_ptr<Sampler>> samplers_;
};

}  // namespace

Status OneVsAll::check(const WeakLearner& weak) const {
  if (options_.is_classical && weak.needs_class_edges())
    return input_error(
        "booster {}: found a weak learner that votes +1 or -1; expected one that takes votes of any size: "
        "stump",
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
  const PlanGround ground{problems, logistic_loss(), context, seed, search().sampler()->is_exhaustive()};
  OneVsAllTraining training(options_, search(), ground);
  const LoopSettings loop{.num_rounds = rounds_of_all(options_.num_rounds, num_classes)};
  return run_rounds(loop, training, seed, context);
}

Result<double> read_shrink(Settings& settings) { return settings.real("shrink", 1, 1e-6, 1); }

}  // namespace mash
