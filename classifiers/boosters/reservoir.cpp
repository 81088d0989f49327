// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/reservoir.hpp"

#include <array>

#include "classifiers/boosters/one_vs_all.hpp"
#include "classifiers/losses/logistic.hpp"

namespace mash {
namespace {

// Examples whose covariance is inverted: some seconds a round, and 600 MB.
constexpr std::int64_t kMostCompared = 5000;

}  // namespace

Status Reservoir::check(const WeakLearner& weak) const { return check_cuts_at_codes(weak, "reservoir"); }

Result<TrainingResult> Reservoir::train(const SearchParts& search, std::uint64_t seed,
                                        const TrainingContext& context) const {
  ReservoirSettings reservoir = options_.reservoir;
  reservoir.keeps_all_codes = search.sampler()->is_exhaustive();
  const auto plan = [&](const BinaryProblems& problems,
                        std::uint64_t run_seed) -> Result<std::unique_ptr<ExamplePlan>> {
    return make_reservoir_plan(reservoir, problems, logistic_loss(), run_seed, context);
  };
  return train_one_vs_all(options_.num_rounds, {options_.scan, logistic_loss(), plan}, search, seed, context);
}

Result<std::unique_ptr<const Booster>> make_reservoir(Settings& settings) {
  constexpr std::array kAlphaWeights{Choice{"plain", false}, Choice{"corrected", true}};
  std::vector<Choice<const RetentionRow*>> strategies;
  for (const RetentionRow& row : retention_strategies()) strategies.push_back({row.name, &row});
  Reservoir::Options options;
  MASH_ASSIGN(options.num_rounds, read_num_rounds(settings, 250));
  MASH_ASSIGN(const RetentionRow* strategy, settings.one_of("keep", strategies.front().value, strategies));
  MASH_ASSIGN(const auto size, settings.integer("size", 250, 2, 1'000'000));
  MASH_ASSIGN(const auto num_fresh, settings.integer("fresh", size, 0, 1'000'000));
  MASH_ASSIGN(options.reservoir.corrects_steps, settings.one_of("alpha_weights", false, kAlphaWeights));
  MASH_ASSIGN(options.scan, read_scan_mode(settings));
  for (const RetentionRow& row : retention_strategies()) {  // the keys of all of them are known
    MASH_ASSIGN(std::shared_ptr<const Retention> made, row.make(settings));
    if (&row == strategy) options.reservoir.keep = std::move(made);
  }
  if (strategy->name == "geem" && size + num_fresh > kMostCompared)
    return input_error(
        "booster reservoir: found size {} and fresh {}, expected at most {} together with keep: geem, "
        "which compares each with each",
        size, num_fresh, kMostCompared);
  options.reservoir.size = std::size_t(size);
  options.reservoir.num_fresh = std::size_t(num_fresh);
  return {std::make_unique<const Reservoir>(options)};
}

}  // namespace mash
