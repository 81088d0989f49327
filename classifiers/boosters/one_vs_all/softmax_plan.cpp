// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/softmax_plan.hpp"

#include <numeric>
#include <utility>

#include "classifiers/boosters/one_vs_all/whole_sums.hpp"
#include "classifiers/losses/softmax.hpp"
#include "framework/base/elementary.hpp"

namespace mash {
namespace {

class SoftmaxPlan final : public ExamplePlan {
 public:
  explicit SoftmaxPlan(const PlanGround& ground)
      : ground_(ground),
        problems_(ground.problems),
        sums_(problems_, ground.context.features),
        odds_(sums_.all(), ground.context.work.workers),
        examples_(problems_.num_examples()),
        counts_(counts_of_all(examples_.size(), ground.context.left_out)) {
    std::iota(examples_.begin(), examples_.end(), 0u);
    for (const std::uint32_t n : examples_) labels_.push_back(problems_.label(n));
  }

  RoundExamples before_rounds() const override {
    return spread_examples(ground_, examples_.size(), -stable_log(double(problems_.size() - 1)));
  }
  RoundExamples next(std::size_t problem, const Round&) override {
    sums_.begin_round();
    return {examples_, {}, odds_.log_odds(problem), counts_, 0, 0, std::nullopt};
  }
  std::size_t add(std::size_t problem, const Hypothesis& hypothesis,
                  std::span<const std::uint8_t> cells) override {
    const std::size_t num_asked = sums_.add(problem, hypothesis, cells);
    odds_.update(problem);
    return num_asked;
  }
  bool end_turn() override {
    odds_.refresh();
    return true;
  }

  double error() const override { return sums_.error(); }
  std::size_t num_known() const override { return examples_.size(); }
  bool is_fixed() const override { return true; }
  void replay(std::size_t problem, const Hypothesis& hypothesis) override {
    sums_.begin_round();
    add(problem, hypothesis, {});
  }

  // By the sums as they are now, divided by what it is where all are 0.
  double cross_entropy() const {
    return odds_.cross_entropy(labels_, counts_) / stable_log(double(problems_.size()));
  }

 private:
  const PlanGround ground_;
  const BinaryProblems& problems_;
  WholeSums sums_;
  SoftmaxOdds odds_;
  std::vector<std::uint32_t> examples_;  // all: those that are left out count for nothing
  std::vector<double> counts_;           // how often each counts; none: once
  std::vector<std::uint16_t> labels_;
};

class SoftmaxSteps final : public StepChoice {
 public:
  // plan: outlives it.
  SoftmaxSteps(const SoftmaxPlan& plan, const PlanGround& ground)
      : plan_(plan), problems_(ground.problems), shrink_(ground.shrink) {}

  std::vector<double> rows(std::size_t problem, const RoundExamples& examples) const override {
    return working_rows(problems_, problem, examples);
  }
  Step choose(std::size_t, const RoundExamples&, WeakHypothesis& found, double) override {
    const auto num_classes = double(problems_.size());
    Step step;
    step.alpha = shrink_ * take_largest_vote(found) * (num_classes - 1) / num_classes;
    return step;
  }
  // The first loss is that of all problems.
  double settle(std::size_t, const Step&, std::span<double> losses) const override {
    const double before = std::exchange(losses[0], plan_.cross_entropy());
    return stable_log10(losses[0] / before);
  }

 private:
  const SoftmaxPlan& plan_;
  const BinaryProblems& problems_;
  double shrink_;
};

}  // namespace

ProblemParts make_softmax_parts(const PlanGround& ground) {
  auto plan = std::make_unique<SoftmaxPlan>(ground);
  auto steps = std::make_unique<SoftmaxSteps>(*plan, ground);
  return {std::move(plan), std::move(steps)};
}

}  // namespace mash
