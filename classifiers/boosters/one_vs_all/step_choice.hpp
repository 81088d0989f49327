// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "classifiers/boosters/one_vs_all/example_plan.hpp"
#include "classifiers/weak/weak_learner.hpp"

namespace mash {

// A step along the hypothesis that a round of a binary problem found.
struct Step {
  double alpha = 0;              // at least 0, and 0 where there is nothing to be gained
  double before = 0, after = 0;  // the mean loss of the problem
  std::uint64_t num_asked = 0;   // hypotheses x examples that were evaluated to find it
};

// Choice of the rows that a round searches with, and of the step along the hypothesis that it finds. Belongs
// to one run.
class StepChoice {
 public:
  virtual ~StepChoice() = default;

  // Rows for the criterion of the search (ScanSettings), one example after the other.
  virtual std::vector<double> rows(std::size_t problem, const RoundExamples& examples) const = 0;
  // The step along what the search found; its votes may be scaled, or turned round. loss: the mean loss of
  // the problem on what its last round trained on.
  virtual Step choose(std::size_t problem, const RoundExamples& examples, WeakHypothesis& found,
                      double loss) = 0;
  // The step was added to the plan. log10 of what the loss of all problems together was multiplied by.
  // losses: of each problem, which it sets.
  virtual double settle(std::size_t problem, const Step& step, std::span<double> losses) const;
};

// Examples on which a step is searched for.
struct StepExamples {
  std::span<const std::uint32_t> examples;  // numbers of training examples, increasing
  std::span<const double> sums;             // F of each
  std::span<const double> counts;           // how often each counts; none: once
  std::span<const std::uint8_t> cells;      // of each, in the hypothesis
};
// Those for a hypothesis, with one vote and alpha 1, that is evaluated on all of them.
using FindStepExamples = std::function<StepExamples(std::size_t problem, const Hypothesis& hypothesis)>;

// Each example's weight with the sign of its side is searched with; the step minimises the loss, and is
// `shrink` times that. find: the examples that it looks at; null: those that the round trains on.
std::unique_ptr<StepChoice> make_line_search(const PlanGround& ground, FindStepExamples find = nullptr);

// Working responses are searched with (working_rows). The votes that are found are steps already: `shrink`
// times them.
std::unique_ptr<StepChoice> make_newton_steps(const PlanGround& ground);

// The weight of each example with the sign of its side.
std::vector<double> signed_weights(const BinaryProblems& problems, std::size_t problem,
                                   const RoundExamples& examples);
// The working response of each example, times its weight and with the sign of its side, and then that weight.
std::vector<double> working_rows(const BinaryProblems& problems, std::size_t problem,
                                 const RoundExamples& examples);
// Divides the votes by the largest, which it gives; 0, with nothing changed, where all are 0.
double take_largest_vote(WeakHypothesis& found);

}  // namespace mash
