// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/reservoir/reproduce.hpp"

#include "framework/operations/experiment/strategies.hpp"
#include "framework/operations/training/run_experiment.hpp"
#include "framework/operations/training/seed_run.hpp"
#include "framework/reproductions/reservoir/report.hpp"

namespace mash {
namespace {

constexpr const char* kWhere = "reproduce";
constexpr std::uint32_t kRuns = 10;
constexpr std::array kShrinks{1.0, 0.1};

// A cell of the table, and how it is to be trained.
struct Plan {
  ReservoirResult result;  // without curves
  Experiment experiment;
};

// Trainings on one data set.
struct SetPlans {
  Experiment recipe;
  std::vector<Plan> plans;
};

template <class Row>
std::vector<std::string_view> names_of(std::span<const Row> rows) {
  std::vector<std::string_view> names;
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

Result<Plan> plan_of(const Experiment& recipe, const ReservoirTable& table, ReservoirResult cell) {
  const ReservoirMethod& method = table.methods[cell.method];
  Plan plan{std::move(cell), recipe};
  NamedSettings& booster = plan.experiment.booster;
  booster = {std::string(method.booster), {}, kWhere};
  booster.settings.add("rounds", std::to_string(plan.result.num_rounds), kWhere);
  if (!method.key.empty()) booster.settings.add(std::string(method.key), std::string(method.value), kWhere);
  booster.settings.add(std::string(method.size_key), std::to_string(method.sizes[plan.result.size]), kWhere);
  if (plan.result.shrink != 1) booster.settings.add("shrink", fmt::format("{}", plan.result.shrink), kWhere);
  MASH_TRY(make_learner(plan.experiment));  // what is wrong with it should be known before the others train
  return plan;
}

// The cells of one data set that the user wants, by the length of their steps.
Result<SetPlans> plans_of(const ReproduceSettings& settings, const ReservoirTable& table, std::size_t set) {
  MASH_ASSIGN(const auto methods, indices_of_wanted("method", settings.methods, names_of(table.methods)));
  MASH_ASSIGN(Experiment recipe,
              recipe_experiment(settings, fmt::format("reservoir-{}", reservoir_sets()[set].name)));
  recipe.runs = settings.num_runs.value_or(kRuns);
  SetPlans of_set{recipe, {}};
  for (const double shrink : kShrinks)
    for (std::size_t size = 0; size < kReservoirSizes; ++size)
      for (const std::size_t method : methods) {
        const ReservoirMethod& of = table.methods[method];
        if (!of.has_size(size) || (shrink != 1 && !of.takes_shrink)) continue;
        MASH_ASSIGN(Plan plan,
                    plan_of(recipe, table,
                            {set, method, size, shrink, settings.num_rounds.value_or(kReservoirRounds), {}}));
        of_set.plans.push_back(std::move(plan));
      }
  return of_set;
}

// "MNIST, GEEM, r = 100, steps x 0.1"
std::string step_of(const ReservoirTable& table, const ReservoirResult& cell) {
  const ReservoirMethod& method = table.methods[cell.method];
  std::string step =
      fmt::format("{}, {}, r = {}", reservoir_sets()[cell.set].title, method.title, method.sizes[cell.size]);
  if (cell.shrink != 1) step += fmt::format(", steps x {}", cell.shrink);
  return step;
}

}  // namespace

Result<ReproductionReport> reproduce_reservoir_table(const ReproduceSettings& settings,
                                                     const WorkContext& work) {
  MASH_ASSIGN(const ReservoirTable* table, find_reservoir_table(settings.name));
  const std::span<const ReservoirSet> known = reservoir_sets();
  MASH_ASSIGN(const auto wanted, indices_of_wanted("data set", settings.sets, names_of(known)));
  std::vector<SetPlans> sets;
  for (const std::size_t set : wanted) {
    MASH_ASSIGN(SetPlans of_set, plans_of(settings, *table, set));
    sets.push_back(std::move(of_set));
  }
  std::vector<ReservoirResult> results;
  for (SetPlans& of_set : sets) {
    MASH_ASSIGN(Workspace space, open_workspace(of_set.recipe, settings.workspace, work));
    for (std::size_t i = 0; i < of_set.plans.size(); ++i) {
      Plan& plan = of_set.plans[i];
      tell_step(work.remarks, step_of(*table, plan.result), i + 1, of_set.plans.size());
      MASH_ASSIGN(ExperimentResult result,
                  run_experiment(plan.experiment, {.of_any_name = true}, space, work));
      if (result.stopped) return stopped_error();
      for (RunResult& run : result.runs) plan.result.curves.push_back(std::move(run.result.curve));
      results.push_back(std::move(plan.result));
      MASH_TRY(write_report(settings, reservoir_report(*table, results, settings.command)));
    }
  }
  return reservoir_report(*table, results, settings.command);
}

}  // namespace mash
