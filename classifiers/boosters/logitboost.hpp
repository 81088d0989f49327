// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/booster.hpp"
#include "classifiers/boosters/example_plan.hpp"
#include "classifiers/boosters/round_loop.hpp"
#include "classifiers/boosters/whole_side_plan.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// LogitBoost with exact line search, one class against all others (Lefakis & Fleuret 2013, section 4): the
// logistic loss of F = sum of alpha h, whose step in each round is the one that minimises it. All examples
// train, or some that are drawn.
class LogitBoost final : public Booster {
 public:
  struct Options {
    std::uint32_t num_rounds = 100;  // of each binary problem
    ScanMode scan = ScanMode::kI16;
    SidePlanSettings examples;
  };

  explicit LogitBoost(const Options& options) : options_(options) {}

  std::uint32_t num_rounds(std::size_t num_classes) const override {
    return rounds_of_all(options_.num_rounds, num_classes);
  }
  Status check(const WeakLearner& weak) const override;
  Result<TrainingResult> train(const SearchParts& search, std::uint64_t seed,
                               const TrainingContext& context) const override;

 private:
  Options options_;
};

// Reads rounds, examples, drawn and scan; the caller refuses the rest.
Result<std::unique_ptr<const Booster>> make_logitboost(Settings& settings);

}  // namespace mash
