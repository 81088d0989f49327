// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/reservoir.hpp"

#include <array>
#include <string>

#include "classifiers/boosters/one_vs_all/reservoir_plan.hpp"

namespace mash {
namespace {

// Examples whose covariance is inverted: some seconds a round, and 600 MB.
constexpr std::int64_t kMostCompared = 5000;

// The strategy that its row makes of its keys. Those of the others are known, and have no effect.
Result<std::shared_ptr<const Retention>> read_retention(const RetentionRow& strategy, Settings& settings) {
  std::shared_ptr<const Retention> keep;
  for (const RetentionRow& row : retention_strategies()) {
    const std::size_t num_known = settings.known().size();
    MASH_ASSIGN(std::shared_ptr<const Retention> made, row.make(settings));
    if (&row == &strategy) keep = std::move(made);
    for (std::size_t i = num_known; i < settings.known().size() && &row != &strategy; ++i) {
      const std::string key = settings.known()[i].key;
      MASH_TRY(settings.refuse_without(key, fmt::format("keep: {}", row.name)));
    }
  }
  return keep;
}

}  // namespace

Result<std::unique_ptr<const Booster>> make_reservoir(Settings& settings, SearchParts search) {
  constexpr std::array kAlphaWeights{Choice{"plain", false}, Choice{"corrected", true}};
  std::vector<Choice<const RetentionRow*>> strategies;
  for (const RetentionRow& row : retention_strategies()) strategies.push_back({row.name, &row});
  OneVsAll::Options options;
  options.name = "reservoir";
  options.takes_endless = true;
  ReservoirSettings reservoir;
  MASH_ASSIGN(options.num_rounds, read_num_rounds(settings, 250));
  MASH_ASSIGN(const RetentionRow* strategy, settings.one_of("keep", strategies.front().value, strategies));
  MASH_ASSIGN(const auto size, settings.integer("size", 250, 2, 1'000'000));
  MASH_ASSIGN(const auto num_fresh, settings.integer("fresh", size, 0, 1'000'000));
  MASH_ASSIGN(reservoir.corrects_steps, settings.one_of("alpha_weights", false, kAlphaWeights));
  MASH_ASSIGN(options.shrink, read_shrink(settings));
  MASH_ASSIGN(options.scan, read_scan_mode(settings));
  MASH_ASSIGN(reservoir.keep, read_retention(*strategy, settings));
  if (!reservoir.keep->changes_weights())
    MASH_TRY(
        settings.refuse_without("alpha_weights", "keep: geem, or keep: wsam with uniform_weights: true"));
  if (strategy->name == "geem" && size + num_fresh > kMostCompared) {
    const char* key = settings.has("fresh") ? "fresh" : "size";
    MASH_TRY(settings.refuse(
        input_error("{}: {}: found size {} and fresh {}, expected at most {} together with keep: geem, which "
                    "compares each with each",
                    settings.where(key), key, size, num_fresh, kMostCompared)));
  }
  reservoir.size = std::size_t(size);
  reservoir.num_fresh = std::size_t(num_fresh);
  options.parts = [reservoir](const PlanGround& ground) {
    return ProblemParts{make_reservoir_plan(reservoir, ground), make_line_search(ground)};
  };
  return {std::make_unique<const OneVsAll>(std::move(options), std::move(search))};
}

}  // namespace mash
