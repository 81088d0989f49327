// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side_plan.hpp"

#include <algorithm>

#include "classifiers/boosters/example_source.hpp"
#include "classifiers/losses/margin_line.hpp"
#include "classifiers/losses/softmax.hpp"
#include "classifiers/online/mada_weight.hpp"
#include "classifiers/samplers/example_draw.hpp"
#include "classifiers/serving/cut_answers.hpp"
#include "framework/base/elementary.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kPass = 2000;  // of the draw: away from the passes of samplers, which draw too

class WholeSidePlan final : public ExamplePlan {
 public:
  WholeSidePlan(const SidePlanSettings& settings, const PlanGround& ground)
      : settings_(settings),
        problems_(ground.problems),
        loss_(ground.loss),
        context_(ground.context),
        shrink_(ground.shrink),
        sums_(problems_.size(), std::vector<double>(problems_.num_examples())) {
    settings_.shares_probabilities = settings.shares_probabilities && problems_.size() > 1;
    // All of them: those that are left out stand among the others, and count for nothing.
    const bool takes_all = settings.draw == SideDraw::kAll;
    examples_ = trained_on(problems_.num_examples(),
                           takes_all ? std::span<const std::uint32_t>() : context_.left_out);
    if (takes_all && !context_.left_out.empty()) {
      counts_.assign(examples_.size(), 1);
      for (const std::uint32_t n : context_.left_out) counts_[n] = 0;
    }
    if (settings_.shares_probabilities) {
      exps_.assign(sums_.size(), std::vector<double>(problems_.num_examples(), 1.0));
      finish_turn();
    }
    if (settings.draw != SideDraw::kFixed || examples_.size() <= settings.size) return;
    RandomStream(ground.seed, "boosting.fixed_examples").shuffle(std::span(examples_));
    examples_.resize(settings.size);
    std::sort(examples_.begin(), examples_.end());
  }

  RoundExamples next(std::size_t problem, const Round& round) override {
    cells_of_all_.clear();
    RoundExamples next{examples_, weights(problem), {}, counts_, 0, 0, std::nullopt};
    for (std::size_t i = 0; i < counts_.size(); ++i) next.weights[i] *= counts_[i];
    if (settings_.draw == SideDraw::kByWeight)
      draw(next.weights, round, next);
    else if (settings_.draw == SideDraw::kMada)
      draw(mada_weights(problem), round, next);
    const auto& sums = settings_.shares_probabilities ? log_odds_[problem] : sums_[problem];
    for (const std::uint32_t n : next.examples) next.sums.push_back(sums[n]);
    if (next.examples.size() < problems_.num_examples())
      next.features = context_.features.of_rows(next.examples);
    return next;
  }

  std::optional<OwnStep> own_step(std::size_t problem, const Hypothesis& hypothesis) override {
    if (!settings_.steps_on_all) return std::nullopt;
    const auto all = trained_on(problems_.num_examples(), context_.left_out);
    cells_of_all_ = cells_of(hypothesis, context_.features, Side::kTrain);
    const std::vector<double> votes = cell_votes(hypothesis);
    MarginLine line{std::vector<double>(all.size()), std::vector<double>(all.size()),
                    std::vector<double>(all.size(), 1.0)};
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double sign = problems_.sign(problem, all[i]);
      line.margins[i] = sign * sums_[problem][all[i]];
      line.agreements[i] = sign * votes[cells_of_all_[all[i]]];
    }
    const double alpha = shrink_ * best_step(loss_, line);
    if (alpha == 0) return OwnStep{.alpha = 0};
    return OwnStep{alpha, mean_loss(loss_, line, alpha) / mean_loss(loss_, line, 0), 0};
  }

  std::size_t add(std::size_t problem, const Hypothesis& hypothesis,
                  std::span<const std::uint8_t> cells) override {
    const bool of_all = cells.size() == problems_.num_examples();
    if (!of_all && cells_of_all_.empty())
      cells_of_all_ = cells_of(hypothesis, context_.features, Side::kTrain);
    if (!of_all) cells = cells_of_all_;
    std::vector<double> steps = cell_votes(hypothesis);
    for (double& step : steps) step *= hypothesis.alpha;
    for (std::size_t n = 0; n < cells.size(); ++n) sums_[problem][n] += steps[cells[n]];
    if (settings_.shares_probabilities)
      std::ranges::transform(sums_[problem], exps_[problem].begin(),
                             [](double sum) { return stable_exp(sum); });
    return cells.size();
  }

  bool shares_probabilities() const override { return settings_.shares_probabilities; }

  void finish_turn() override {
    log_odds_.resize(sums_.size(), std::vector<double>(problems_.num_examples()));
    for_each_example([&](std::uint32_t n, std::span<const double> exps, std::span<double> others) {
      sums_of_others(exps, others);
      for (std::size_t p = 0; p < others.size(); ++p) log_odds_[p][n] = log_odds(sums_[p][n], others[p]);
    });
  }

  double shared_loss() const override {
    std::vector<double> losses(problems_.num_examples());
    for_each_example([&](std::uint32_t n, std::span<const double> exps, auto) {
      const std::size_t label = problems_.label(n);
      losses[n] = loss_of_log_odds(log_odds(sums_[label][n], sum_of_others(exps, label)));
    });
    double sum = 0, count = 0;
    for (std::size_t n = 0; n < losses.size(); ++n) {
      const double own = counts_.empty() ? 1 : counts_[n];
      sum += own * losses[n];
      count += own;
    }
    return sum / count / stable_log(double(problems_.size()));
  }

  double error() override {
    std::size_t num_wrong = 0;
    std::vector<double> sums(problems_.size());
    for (std::uint32_t n = 0; n < problems_.num_examples(); ++n) {
      for (std::size_t p = 0; p < sums.size(); ++p) sums[p] = sums_[p][n];
      num_wrong += problems_.predicted(sums) != problems_.label(n);
    }
    return double(num_wrong) / double(problems_.num_examples());
  }

  std::size_t num_known() const override { return problems_.num_examples(); }
  std::size_t size() const override {
    return settings_.draw == SideDraw::kAll ? examples_.size() : std::min(examples_.size(), settings_.size);
  }
  bool is_fixed() const override {
    return settings_.draw == SideDraw::kAll || settings_.draw == SideDraw::kFixed;
  }
  // The log odds, which may be older than the sums.
  std::vector<double> state() const override {
    std::vector<double> state;
    for (const auto& of_problem : log_odds_) state.insert(state.end(), of_problem.begin(), of_problem.end());
    return state;
  }
  void replay(std::size_t problem, const Hypothesis& hypothesis) override {
    cells_of_all_.clear();
    add(problem, hypothesis, {});
  }
  void restore(std::span<const double> state) override {
    for (auto& of_problem : log_odds_) {
      std::ranges::copy(state.first(of_problem.size()), of_problem.begin());
      state = state.subspan(of_problem.size());
    }
  }

 private:
  // visit(n, e^F, scratch) for each training example, on all threads; both have a place for each problem.
  template <class Visit>
  void for_each_example(const Visit& visit) const {
    context_.work.workers.for_ranges(problems_.num_examples(), 1024, [&](std::size_t begin, std::size_t end) {
      std::vector<double> exps(exps_.size()), scratch(exps_.size());
      for (std::size_t n = begin; n < end; ++n) {
        for (std::size_t p = 0; p < exps.size(); ++p) exps[p] = exps_[p][n];
        visit(std::uint32_t(n), std::span<const double>(exps), std::span(scratch));
      }
    });
  }

  // What each of examples_ has: y F, and the weight that the loss or MadaBoost gives it.
  std::vector<double> margins(std::size_t problem) const {
    std::vector<double> margins;
    for (const std::uint32_t n : examples_) margins.push_back(problems_.sign(problem, n) * sums_[problem][n]);
    return margins;
  }
  std::vector<double> weights(std::size_t problem) const {
    std::vector<double> weights = margins(problem);
    loss_.weights(weights, weights);
    return weights;
  }
  std::vector<double> mada_weights(std::size_t problem) const {
    std::vector<double> weights = margins(problem);
    for (double& weight : weights) weight = mada_weight(weight);
    return weights;
  }

  // Leaves of the examples those that are drawn in proportion to `shares`. Their weights are divided by the
  // shares; one that is drawn several times counts several times. Where as many are to be drawn as there are:
  // all of them, as they are.
  void draw(std::span<const double> shares, const Round& round, RoundExamples& drawn) const {
    const ExampleDraw draw = WeightedDraw(shares, context_.work.workers).draw(settings_.size, round, kPass);
    RoundExamples kept;
    for (std::size_t i = 0; i < draw.rows.size(); ++i) {
      const std::uint32_t row = draw.rows[i];
      kept.examples.push_back(drawn.examples[row]);
      kept.counts.push_back(double(draw.counts[i]));
      kept.weights.push_back(kept.counts.back() * drawn.weights[row] / shares[row]);
    }
    if (!draw.rows.empty()) drawn = std::move(kept);
  }

  SidePlanSettings settings_;
  const BinaryProblems& problems_;
  const Loss& loss_;
  const TrainingContext& context_;
  double shrink_;
  std::vector<std::uint8_t> cells_of_all_;  // of the round's hypothesis, once they are known
  std::vector<std::uint32_t> examples_;     // that may be drawn
  std::vector<double> counts_;              // how often each counts; none: once
  std::vector<std::vector<double>> sums_;   // F of each problem, of all training examples
  // The same of shared probabilities, else none: e^F, and the log odds of when all problems had had a round.
  std::vector<std::vector<double>> exps_, log_odds_;
};

}  // namespace

std::unique_ptr<ExamplePlan> make_whole_side_plan(const SidePlanSettings& settings,
                                                  const PlanGround& ground) {
  return std::make_unique<WholeSidePlan>(settings, ground);
}

}  // namespace mash
