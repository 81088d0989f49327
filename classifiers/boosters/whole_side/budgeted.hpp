// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "classifiers/boosters/loop/booster.hpp"
#include "classifiers/boosters/whole_side/round.hpp"
#include "classifiers/budget/selection.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Source of the costs of features.
struct CostSource {
  enum class Kind {
    kEqual,   // the same for each feature
    kRandom,  // drawn in [0, 2)
    kFile,    // a table, see read_costs
  };
  Kind kind = Kind::kEqual;
  double each = 1;         // kEqual
  std::uint64_t seed = 1;  // kRandom
  std::string path;        // kFile
};

// Errors (kInput): those of the file.
Result<FeatureCosts> costs_of(const CostSource& source, const FeatureSet& features);

// AdaBoost.MH within a budget for the features of the classifier (Huang, Powers & Reyzin 2015, Alg. 1). Each
// feature is paid for once, and the set-up of each family once. A rule weighs the edge of a hypothesis
// against its cost. Training ends at the first hypothesis that costs more than the rest of the budget. The
// model carries the costs.
class Budgeted final : public WholeSideBooster {
 public:
  struct Options {
    RoundSettings rounds{{.num_rounds = 500}};
    ScanMode scan = ScanMode::kI16;
    SelectionSettings selection;
    double budget = 100;
    CostSource costs;
  };

  Budgeted(const Options& options, SearchParts search)
      : WholeSideBooster(std::move(search)), options_(options) {}
  const Options& options() const { return options_; }

  std::optional<std::uint32_t> num_rounds(std::size_t) const override { return options_.rounds.num_rounds; }
  Status check(const WeakLearner&) const override { return Done{}; }
  // Errors (kInput): those of the file of costs. A family that may be left out needs no costs yet.
  Status check_families(std::span<const FamilySpec> families) const override;
  // The file of costs, where there is one.
  std::vector<std::filesystem::path> identity_files() const override;
  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override;

 private:
  Options options_;
};

// Trains, as Learner::train, with these costs of the features in the place of those of the options.
Result<TrainingResult> train_budgeted(const Budgeted::Options& options, const FeatureCosts& costs,
                                      const SearchParts& search, std::uint64_t seed,
                                      const TrainingContext& context);

// Reads rounds, budget, rule, costs, cost_seed, cost_mode, tau, kappa, uses_per_setup, setup_share,
// skip_unaffordable, scan and stop_on_perfect; the caller refuses the rest. Errors (kInput): costs that are
// neither a number >= 0 nor `random` nor a file; a key that has no effect with this rule, these costs or this
// cost_mode.
Result<std::unique_ptr<const Booster>> make_budgeted(Settings& settings, SearchParts search);

}  // namespace mash
