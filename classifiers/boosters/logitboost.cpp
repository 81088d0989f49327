// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/logitboost.hpp"

#include <array>

#include "classifiers/boosters/one_vs_all.hpp"
#include "classifiers/losses/logistic.hpp"

namespace mash {

// What is drawn is known by its codes alone.
Status LogitBoost::check(const WeakLearner& weak) const {
  const bool is_whole = options_.examples.draw == SideDraw::kAll;
  return is_whole ? Status(Done{}) : check_cuts_at_codes(weak, "logitboost");
}

Result<TrainingResult> LogitBoost::train(const SearchParts& search, std::uint64_t seed,
                                         const TrainingContext& context) const {
  const auto plan = [&](const BinaryProblems& problems,
                        std::uint64_t run_seed) -> Result<std::unique_ptr<ExamplePlan>> {
    return make_whole_side_plan(options_.examples, problems, logistic_loss(), run_seed, context);
  };
  return train_one_vs_all(options_.num_rounds, {options_.scan, logistic_loss(), plan}, search, seed, context);
}

Result<std::unique_ptr<const Booster>> make_logitboost(Settings& settings) {
  constexpr std::array kDraws{Choice{"all", SideDraw::kAll}, Choice{"fixed", SideDraw::kFixed},
                              Choice{"by_weight", SideDraw::kByWeight}, Choice{"mada", SideDraw::kMada}};
  LogitBoost::Options options;
  MASH_ASSIGN(options.num_rounds, read_num_rounds(settings, 100));
  MASH_ASSIGN(options.examples.draw, settings.one_of("examples", options.examples.draw, kDraws));
  MASH_ASSIGN(const auto drawn, settings.integer("drawn", 1000, 2, 1'000'000'000));
  MASH_ASSIGN(options.scan, read_scan_mode(settings));
  options.examples.size = std::size_t(drawn);
  return {std::make_unique<const LogitBoost>(options)};
}

}  // namespace mash
