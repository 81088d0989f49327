// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/reproduce.hpp"

#include <fmt/ranges.h>

#include <array>

#include "framework/operations/experiment/recipes.hpp"
#include "framework/reproductions/bandits/reproduce.hpp"
#include "framework/reproductions/budget/reproduce.hpp"
#include "framework/reproductions/budget/reproduce_time.hpp"
#include "framework/reproductions/contribution/reproduce.hpp"
#include "framework/reproductions/contribution/reproduce_simulation.hpp"
#include "framework/reproductions/reservoir/reproduce.hpp"
#include "framework/reproductions/sampling/reproduce_figures.hpp"
#include "framework/reproductions/sampling/reproduce_tables.hpp"

namespace mash {
namespace {

constexpr TakenSetting kOfSamplingTables[] = {{"rounds", "1000"}, {"runs", "3"},  {"seed", ""},
                                              {"methods", ""},    {"beside", ""}, {"tune", ""}};
constexpr TakenSetting kOfEdgeFigure[] = {{"seed", ""}};
constexpr TakenSetting kOfGapFigure[] = {{"rounds", "100"}, {"runs", "10"}, {"seed", ""}};
constexpr TakenSetting kOfBanditTable[] = {{"rounds", ""},   {"runs", "3; with validate 1"},
                                           {"seed", ""},     {"methods", ""},
                                           {"sets", ""},     {"learners", ""},
                                           {"validate", ""}, {"grid", ""}};
constexpr TakenSetting kOfContribution[] = {{"rounds", "1000"}, {"runs", "30"}, {"seed", ""}, {"sets", ""}};
constexpr TakenSetting kOfReservoirTables[] = {
    {"rounds", "250"}, {"runs", "10"}, {"seed", ""}, {"methods", ""}, {"sets", ""}};
constexpr TakenSetting kOfSimulation[] = {
    {"runs", "by kind of trial: 50, 12, 4 or 40"}, {"seed", ""}, {"methods", ""}};
constexpr TakenSetting kOfSelectionFigure[] = {
    {"rounds", "10000"}, {"runs", "10"}, {"seed", ""}, {"methods", ""}, {"sets", ""}};
constexpr TakenSetting kOfBudgetTimes[] = {{"rounds", "1000"}, {"runs", "5"}, {"seed", ""}};
constexpr TakenSetting kOfBudgetFigure[] = {
    {"rounds", "500; AdaBoost as in the paper"}, {"runs", "100"}, {"seed", ""}, {"sets", ""}};

constexpr std::array kReproducible{
    Reproducible{"table1", "MNIST, thirteen samplers (Dubout & Fleuret 2014)", kOfSamplingTables,
                 reproduce_sampling_table},
    Reproducible{"table2", "INRIA Person, a subset, the same (Dubout & Fleuret 2014)", kOfSamplingTables,
                 reproduce_sampling_table},
    Reproducible{"table4", "CIFAR-10, a subset, the same (Dubout & Fleuret 2014)", kOfSamplingTables,
                 reproduce_sampling_table},
    Reproducible{"figure1",
                 "the expected edge of Q candidates on S examples at fixed Q S (Dubout & Fleuret 2014)",
                 kOfEdgeFigure, reproduce_edge_figure,
                 /*also_decides=*/"",
                 /*trains=*/false},
    Reproducible{"figure2", "MNIST, the gap to the best edge of three strategies (Dubout & Fleuret 2014)",
                 kOfGapFigure, reproduce_gap_figure},
    Reproducible{"bandit-table1",
                 "five data sets, three weak learners, bandits; errors and times (Busa-Fekete & Kegl 2010)",
                 kOfBanditTable, reproduce_bandit_table, "weak"},
    Reproducible{"figure3", "the features that bandits select on synthetic data (Busa-Fekete & Kegl 2010)",
                 kOfSelectionFigure, reproduce_selection_figure},
    Reproducible{"contribution",
                 "what the heuristics of two pools add: trained with and without them, and the offer test",
                 kOfContribution, reproduce_contribution},
    Reproducible{
        "offer-simulation",
        "what the offer test says of noise, copies, a leak and small gains, planted beside real families",
        kOfSimulation, reproduce_simulation},
    Reproducible{"reservoir-table3",
                 "four data sets, what a reservoir of a few hundred examples keeps (Lefakis & Fleuret 2013)",
                 kOfReservoirTables, reproduce_reservoir_table, "booster"},
    Reproducible{"reservoir-table4", "the same beside online boosting (Lefakis & Fleuret 2013)",
                 kOfReservoirTables, reproduce_reservoir_table, "booster"},
    Reproducible{"reservoir-table5", "the same beside samples of all data (Lefakis & Fleuret 2013)",
                 kOfReservoirTables, reproduce_reservoir_table, "booster"},
    Reproducible{"budget-figure1",
                 "test error against what features cost, twelve data sets (Huang, Powers & Reyzin 2015)",
                 kOfBudgetFigure, reproduce_budget_figure},
    Reproducible{"budget-mnist", "MNIST, all heuristics: test error against measured microseconds a picture",
                 kOfBudgetTimes, reproduce_budget_time},
};

std::string names_of(std::span<const TakenSetting> settings) {
  std::vector<std::string_view> names;
  for (const TakenSetting& setting : settings) names.push_back(setting.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// The key or one below it: "booster.rounds" is within "booster".
bool is_within(std::string_view key, std::string_view section) {
  return key == section || (key.starts_with(section) && key[section.size()] == '.');
}

// Whether the key is one that the recipe gives its own sampler, which has a row in the table.
bool is_of_own_row(const Reproducible& row, std::string_view key) {
  constexpr std::string_view kSampler = "sampler.";
  if (row.reproduce != reproduce_sampling_table || !key.starts_with(kSampler)) return false;
  const Recipe* recipe = find_recipe(row.name);
  if (recipe == nullptr) return false;
  const auto experiment = parse_recipe(*recipe, {});
  return experiment.ok() && experiment->sampler.settings.has(key.substr(kSampler.size()));
}

// Refuses settings that the table decides: they would be ignored silently.
Status check_overrides(const Reproducible& row, const Overrides& overrides) {
  struct Decided {
    std::string_view key, what;
    bool by_all = true;
  };
  constexpr std::array kDecided{Decided{"sampler", "sampler"},
                                Decided{"weak", "weak learner", false},
                                Decided{"seed", "seed"},
                                Decided{"runs", "number of runs"},
                                Decided{"booster", "booster", false},
                                Decided{"booster.rounds", "number of rounds"}};
  for (const std::string& text : overrides.texts) {
    if (!row.trains)
      return input_error("{} {}: {} trains nothing; it takes {}", overrides.called, text, row.name,
                         names_of(row.settings));
    const std::string key = text.substr(0, text.find('='));
    if (is_of_own_row(row, key)) continue;
    for (const Decided& decided : kDecided) {
      if (!decided.by_all && decided.key != row.also_decides) continue;
      if (is_within(key, decided.key) || is_within(decided.key, key))
        return input_error("{} {}: {} has a {} of its own; expected another key, or one of its settings: {}",
                           overrides.called, text, row.name, decided.what, names_of(row.settings));
    }
  }
  return Done{};
}

}  // namespace

std::span<const Reproducible> reproducible() { return kReproducible; }

Result<const Reproducible*> find_reproducible(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Reproducible& row : kReproducible) {
    if (row.name == name) return &row;
    known.push_back(row.name);
  }
  if (name.empty()) return input_error("no table or figure; known: {}", fmt::join(known, ", "));
  return unknown_name("table or figure", name, known);
}

Result<ReproductionReport> reproduce(const ReproduceSettings& settings, const WorkContext& work) {
  MASH_ASSIGN(const Reproducible* row, find_reproducible(settings.name));
  MASH_TRY(check_overrides(*row, settings.overrides));
  MASH_ASSIGN(ReproductionReport report, row->reproduce(settings, work));
  tell_changes(settings.overrides.texts, report);
  MASH_TRY(write_report(settings, report));
  return report;
}

}  // namespace mash
