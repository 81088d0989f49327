// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/logitboost.hpp"

#include <array>

#include "classifiers/boosters/one_vs_all/softmax_plan.hpp"
#include "classifiers/boosters/one_vs_all/whole_side_plan.hpp"

namespace mash {

Result<std::unique_ptr<const Booster>> make_logitboost(Settings& settings, SearchParts search) {
  constexpr std::array kDraws{Choice{"all", SideDraw::kAll}, Choice{"fixed", SideDraw::kFixed},
                              Choice{"by_weight", SideDraw::kByWeight}, Choice{"mada", SideDraw::kMada}};
  OneVsAll::Options options;
  options.name = "logitboost";
  SidePlanSettings examples;
  MASH_ASSIGN(options.num_rounds, read_num_rounds(settings, 100));
  MASH_ASSIGN(examples.draw, settings.one_of("examples", examples.draw, kDraws));
  MASH_ASSIGN(const auto drawn, settings.integer("drawn", 1000, 2, 1'000'000'000));
  constexpr std::array kSteps{Choice{"drawn", false}, Choice{"all", true}};
  MASH_ASSIGN(examples.steps_on_all, settings.one_of("step_on", false, kSteps));
  MASH_ASSIGN(options.shrink, read_shrink(settings));
  MASH_ASSIGN(options.scan, read_scan_mode(settings));
  if (examples.draw == SideDraw::kAll) {
    for (const char* key : {"drawn", "step_on"})
      MASH_TRY(settings.refuse_without(key, "examples: fixed, by_weight or mada"));
  }
  examples.size = std::size_t(drawn);
  options.takes_exact_cuts = examples.draw == SideDraw::kAll;  // what is drawn is known by its codes alone
  options.parts = [examples](const PlanGround& ground) { return make_whole_side_parts(examples, ground); };
  return {std::make_unique<const OneVsAll>(std::move(options), std::move(search))};
}

Result<std::unique_ptr<const Booster>> make_classical_logitboost(Settings& settings, SearchParts search) {
  OneVsAll::Options options;
  options.name = "logitboost.classical";
  MASH_ASSIGN(options.num_rounds, read_num_rounds(settings, 100));
  MASH_ASSIGN(options.shrink, read_shrink(settings));
  options.scan = ScanMode::kF64;
  options.is_classical = options.takes_exact_cuts = true;
  options.parts = [](const PlanGround& ground) {
    if (ground.problems.size() > 1) return make_softmax_parts(ground);
    return ProblemParts{make_whole_side_parts({}, ground).plan, make_newton_steps(ground)};
  };
  return {std::make_unique<const OneVsAll>(std::move(options), std::move(search))};
}

}  // namespace mash
