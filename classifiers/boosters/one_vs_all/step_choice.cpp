// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/step_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "classifiers/losses/line_search.hpp"
#include "classifiers/losses/working_response.hpp"
#include "framework/base/elementary.hpp"

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

// The losses before and after a step, whose alpha is known.
void add_losses(const Loss& loss, const Margins& at, Step& step) {
  step.before = mean_loss(loss, at, 0);
  step.after = mean_loss(loss, at, step.alpha);
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

// votes: of the hypothesis, for each of its cells.
Margins margins_on(const BinaryProblems& problems, std::size_t problem, const StepExamples& examples,
                   std::span<const double> votes) {
  Margins at{{}, {}, {examples.counts.begin(), examples.counts.end()}};
  if (at.counts.empty()) at.counts.assign(examples.examples.size(), 1.0);
  at.margins = problems.margins(problem, examples.examples, examples.sums);
  for (std::size_t i = 0; i < examples.examples.size(); ++i)
    at.agreements.push_back(problems.sign(problem, examples.examples[i]) * votes[examples.cells[i]]);
  return at;
}

StepExamples of_round(const RoundExamples& examples, const WeakHypothesis& found) {
  return {examples.examples, examples.sums, examples.counts, found.cells};
}

class LineSearchSteps final : public StepChoice {
 public:
  LineSearchSteps(const PlanGround& ground, FindStepExamples find)
      : problems_(ground.problems), loss_(ground.loss), shrink_(ground.shrink), find_(std::move(find)) {}

  std::vector<double> rows(std::size_t problem, const RoundExamples& examples) const override {
    return signed_weights(problems_, problem, examples);
  }

  Step choose(std::size_t problem, const RoundExamples& examples, WeakHypothesis& found, double) override {
    found.model.alpha = 1;
    const StepExamples on = find_ ? find_(problem, found.model) : of_round(examples, found);
    Step step;
    if (find_) step.num_asked = on.cells.size();
    const Margins at = margins_on(problems_, problem, on, found.votes);
    if (std::none_of(at.counts.begin(), at.counts.end(), [](double c) { return c > 0; })) return step;
    step.alpha = shrink_ * best_step(loss_, at);
    if (step.alpha == 0) return step;
    add_losses(loss_, at, step);
    return step;
  }

 private:
  const BinaryProblems& problems_;
  const Loss& loss_;
  double shrink_;
  FindStepExamples find_;
};

class NewtonSteps final : public StepChoice {
 public:
  explicit NewtonSteps(const PlanGround& ground)
      : problems_(ground.problems), loss_(ground.loss), shrink_(ground.shrink) {}

  std::vector<double> rows(std::size_t problem, const RoundExamples& examples) const override {
    return working_rows(problems_, problem, examples);
  }

  Step choose(std::size_t problem, const RoundExamples& examples, WeakHypothesis& found, double) override {
    Step step;
    step.alpha = shrink_ * take_largest_vote(found);
    if (step.alpha == 0) return step;
    const Margins at = margins_on(problems_, problem, of_round(examples, found), found.votes);
    add_losses(loss_, at, step);
    return step;
  }

 private:
  const BinaryProblems& problems_;
  const Loss& loss_;
  double shrink_;
};

}  // namespace

double StepChoice::settle(std::size_t problem, const Step& step, std::span<double> losses) const {
  losses[problem] = step.before;
  const double before = std::accumulate(losses.begin(), losses.end(), 0.0);
  losses[problem] = step.after;
  const double after = std::accumulate(losses.begin(), losses.end(), 0.0);
  return stable_log10(after / before);
}

std::unique_ptr<StepChoice> make_line_search(const PlanGround& ground, FindStepExamples find) {
  return std::make_unique<LineSearchSteps>(ground, std::move(find));
}

std::unique_ptr<StepChoice> make_newton_steps(const PlanGround& ground) {
  return std::make_unique<NewtonSteps>(ground);
}

std::vector<double> signed_weights(const BinaryProblems& problems, std::size_t problem,
                                   const RoundExamples& examples) {
  std::vector<double> rows;
  for (std::size_t i = 0; i < examples.examples.size(); ++i)
    rows.push_back(examples.weights[i] * problems.sign(problem, examples.examples[i]));
  return rows;
}

std::vector<double> working_rows(const BinaryProblems& problems, std::size_t problem,
                                 const RoundExamples& examples) {
  std::vector<double> rows;
  for (std::size_t i = 0; i < examples.examples.size(); ++i) {
    const double sign = problems.sign(problem, examples.examples[i]);
    const WorkingResponse response = working_response(sign * examples.sums[i]);
    const double weight = (examples.counts.empty() ? 1 : examples.counts[i]) * response.weight;
    rows.push_back(weight * response.size * sign);
    rows.push_back(weight);
  }
  return rows;
}

double take_largest_vote(WeakHypothesis& found) {
  double largest = 0;
  for (const double vote : found.votes) largest = std::max(largest, std::abs(vote));
  if (largest == 0) return 0;
  for (double& vote : found.model.votes) vote /= largest;
  found.votes = cell_votes(found.model);
  return largest;
}

}  // namespace mash
