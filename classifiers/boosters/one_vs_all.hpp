// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "classifiers/boosters/example_plan.hpp"
#include "classifiers/boosters/round_loop.hpp"
#include "classifiers/losses/loss.hpp"

namespace mash {

// What tells boosters of binary problems from each other.
struct OneVsAllParts {
  ScanMode scan_mode;
  const Loss& loss;  // whose steps are found by a line search
  // Makes the plan of one run.
  std::function<Result<std::unique_ptr<ExamplePlan>>(const BinaryProblems& problems, std::uint64_t seed)>
      plan;
};

// Trains one run of a strong classifier F = sum of alpha h for each binary problem: round r, from 1, is one
// of problem (r - 1) mod P. In each the weak learner finds h with a large sum of w y h on the examples of the
// plan, and alpha in [0, 10] minimises the loss of y (F + alpha h) on these examples, each weighing alike
// (Lefakis & Fleuret 2013, Table 2). num_rounds: of each problem. As Booster::train; a data set of one class
// is an error (kInput).
Result<TrainingResult> train_one_vs_all(std::uint32_t num_rounds, const OneVsAllParts& parts,
                                        const SearchParts& search, std::uint64_t seed,
                                        const TrainingContext& context);

// Errors (kInput): a weak learner that cuts between any two values.
Status check_cuts_at_codes(const WeakLearner& weak, std::string_view booster);

}  // namespace mash
