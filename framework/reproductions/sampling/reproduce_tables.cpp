// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/sampling/reproduce_tables.hpp"

#include "classifiers/builtin.hpp"
#include "framework/operations/training/run_experiment.hpp"
#include "framework/operations/training/seed_run.hpp"
#include "framework/reproductions/sampling/chart.hpp"
#include "framework/reproductions/sampling/reproduction.hpp"

namespace mash {
namespace {

// The methods that the user wants: those of the samplers that are named, or all of the table; those to stand
// beside them have no figures in the paper.
Result<std::vector<PublishedMethod>> wanted_methods(const ReproduceSettings& settings,
                                                    const PublishedTable& table) {
  std::vector<std::string_view> known;
  for (const PublishedMethod& method : table.methods) known.push_back(method.sampler);
  MASH_ASSIGN(const auto places, indices_of_wanted("method", settings.methods, known));
  std::vector<PublishedMethod> wanted;
  for (const std::size_t place : places) wanted.push_back(table.methods[place]);
  for (const std::string& name : settings.beside) {
    MASH_ASSIGN(const auto* row, find_sampler(name));
    wanted.push_back({row->name, row->name, "", {}, {}});
  }
  return wanted;
}

Result<ReproducedMethod> reproduce_method(const ReproduceSettings& settings, const Experiment& recipe,
                                          const PublishedMethod& method, Workspace& space,
                                          const WorkContext& work) {
  Experiment experiment = recipe;
  // Settings of the recipe's own sampler hold in that row.
  if (recipe.sampler.name != method.sampler)
    experiment.sampler = {std::string(method.sampler), {}, "reproduce"};
  if (settings.tune && !method.tuned_setting.empty())
    experiment.sampler.settings.add(std::string(method.tuned_setting), std::string(kTuned), "tune");
  MASH_ASSIGN(const ExperimentResult result, run_experiment(experiment, {.of_any_name = true}, space, work));
  if (result.stopped) return stopped_error();
  ReproducedMethod ours;
  ours.method = method;
  for (const RunResult& run : result.runs) {
    ours.curves.push_back(run.result.curve);
    ours.tunings.push_back(run.tuning);
  }
  return ours;
}

ReproductionReport report_of(const Reproduction& reproduction, const std::string& command) {
  return {std::string(reproduction.table->name),        reproduction_table(reproduction),
          std::string(reproduction.table->caveat),      reproduction_summary(reproduction),
          reproduction_markdown(reproduction, command), reproduction_svg(reproduction)};
}

}  // namespace

Result<ReproductionReport> reproduce_sampling_table(const ReproduceSettings& settings,
                                                    const WorkContext& work) {
  MASH_ASSIGN(const PublishedTable* table, find_published_table(settings.name));
  MASH_ASSIGN(const auto methods, wanted_methods(settings, *table));
  MASH_ASSIGN(Experiment recipe, recipe_experiment(settings, table->name));
  const std::uint32_t num_rounds = settings.num_rounds.value_or(1000);
  recipe.booster.settings.add("rounds", std::to_string(num_rounds), "rounds");
  recipe.runs = settings.num_runs.value_or(3);
  MASH_ASSIGN(Workspace space, open_workspace(recipe, settings.workspace, work));
  Reproduction reproduction{
      table, num_rounds, space.dataset->train.num_examples, !settings.overrides.texts.empty(), {}};
  for (const PublishedMethod& method : methods) {
    tell_step(work.remarks, method.name, reproduction.methods.size() + 1, methods.size());
    MASH_ASSIGN(auto ours, reproduce_method(settings, recipe, method, space, work));
    reproduction.methods.push_back(std::move(ours));
    // After each method, so that what is there can be looked at while the others run.
    MASH_TRY(write_report(settings, report_of(reproduction, settings.command)));
  }
  return report_of(reproduction, settings.command);
}

}  // namespace mash
