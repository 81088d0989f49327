// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "classifiers/boosters/loop/round_loop.hpp"
#include "classifiers/boosters/one_vs_all/example_plan.hpp"
#include "classifiers/boosters/one_vs_all/step_choice.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Plan and steps of one run. The steps may know the plan.
struct ProblemParts {
  std::unique_ptr<ExamplePlan> plan;
  std::unique_ptr<StepChoice> steps;
};

// LogitBoost with exact line search, one class against all others: a strong classifier F = sum of alpha h for
// each binary problem. Round r, from 1, is one of problem (r - 1) mod P. In each the weak learner finds h
// with a large sum of w y h on the examples of the plan, and alpha in [0, 10] minimises the logistic loss of
// y (F + alpha h) on these examples, or on others that the plan names (Lefakis & Fleuret 2013, Table 2); what
// is added is `shrink` times alpha. Boosters differ in their plans, and in the choice of alpha. A data set of
// one class is an error (kInput).
//
// With is_classical it is classical LogitBoost (Friedman, Hastie & Tibshirani 2000). There h is the stump
// that fits the working responses of the examples best by weighted least squares (regression_criterion.hpp),
// a Newton step on each side of its cut. The step that is added is `shrink` times h, written as alpha times
// votes of at most 1. With two classes this is the paper's Algorithm 3, where F is twice the paper's. With
// K > 2 it is Algorithm 6: the probabilities are the softmax of the K sums, every class has a round before
// they change, and the step is (K - 1) / K times as large. The paper also subtracts the mean over the classes
// from the sums, which changes no probability; the model does not.
class OneVsAll final : public Booster {
 public:
  struct Options {
    std::string_view name;           // of the booster's row, for errors
    std::uint32_t num_rounds = 100;  // of each problem
    ScanMode scan = ScanMode::kI16;
    double shrink = 1;              // what each coefficient is multiplied by: above 0, at most 1
    bool takes_exact_cuts = false;  // between any two values: where rounds train on the whole training side
    bool is_classical = false;      // it searches with working responses; then `scan` is kF64
    bool takes_endless = false;     // where rounds ask for new examples
    std::function<ProblemParts(const PlanGround& ground)> parts;
  };

  OneVsAll(Options options, SearchParts search) : Booster(std::move(search)), options_(std::move(options)) {}

  std::optional<std::uint32_t> num_rounds(std::size_t num_classes) const override {
    return rounds_of_all(options_.num_rounds, num_classes);
  }
  Status check(const WeakLearner& weak) const override;
  LearnerTraits traits() const override;
  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override;

 private:
  Options options_;
};

// Reads `shrink`, 1 where it is absent. Errors (kInput): not from 0.000001 to 1.
Result<double> read_shrink(Settings& settings);

}  // namespace mash
