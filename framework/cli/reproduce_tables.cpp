// SPDX-License-Identifier: Apache-2.0
// Tables 1, 2 and 4 of Dubout & Fleuret 2014: one data set, thirteen samplers.
#include <algorithm>

#include "classifiers/builtin.hpp"
#include "framework/cli/reproduce.hpp"
#include "framework/cli/run_experiment.hpp"
#include "framework/reproductions/reproduction.hpp"
#include "framework/reproductions/reproduction_chart.hpp"

namespace mash {
namespace {

// The methods that the user wants: those of the samplers that are named, or all of the table; those to stand
// beside them have no figures in the paper.
Result<std::vector<PublishedMethod>> wanted_methods(const ReproduceOptions& options,
                                                    const PublishedTable& table) {
  std::vector<std::string_view> known;
  for (const PublishedMethod& method : table.methods) known.push_back(method.sampler);
  MASH_ASSIGN(const auto places, chosen("--methods", "method", options.methods, known));
  std::vector<PublishedMethod> wanted;
  for (const std::size_t place : places) wanted.push_back(table.methods[place]);
  if (options.beside.empty()) return wanted;
  for (const std::string& name : CLI::detail::split(options.beside, ',')) {
    const auto row = find_sampler(name);
    if (!row.ok()) return row.error().at("--beside");
    wanted.push_back({(*row)->name, (*row)->name, "", {}, {}});
  }
  return wanted;
}

Result<ReproducedMethod> reproduce_method(const ReproduceOptions& options, const Experiment& recipe,
                                          const PublishedMethod& method, ExperimentData& data) {
  Experiment experiment = recipe;
  // What the recipe sets of its own sampler holds in that row.
  if (recipe.sampler.name != method.sampler)
    experiment.sampler = {std::string(method.sampler), {}, "reproduce"};
  if (options.tune && !method.tuned_setting.empty())
    experiment.sampler.settings.add(std::string(method.tuned_setting), std::string(kTuned), "--tune");
  MASH_ASSIGN(const ExperimentOutcome outcome, data.run(experiment));
  if (outcome.stopped) return stopped_error();
  ReproducedMethod ours;
  ours.method = method;
  for (const RunOutcome& run : outcome.runs) {
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

Status reproduce_sampling_table(const ReproduceOptions& options) {
  MASH_ASSIGN(const PublishedTable* table, find_published_table(options.name));
  MASH_ASSIGN(const auto methods, wanted_methods(options, *table));
  MASH_ASSIGN(Experiment recipe, recipe_experiment(options, table->name));
  const std::uint32_t num_rounds = options.num_rounds.value_or(1000);
  recipe.booster.settings.add("rounds", std::to_string(num_rounds), "--rounds");
  recipe.runs = options.num_runs(3);
  const auto progress = options.run.output.progress();
  MASH_ASSIGN(const auto data, ExperimentData::open(recipe, options.run, *progress));
  Reproduction reproduction{table, num_rounds, {}};
  for (const PublishedMethod& method : methods) {
    announce(options, method.name, reproduction.methods.size() + 1, methods.size());
    MASH_ASSIGN(auto ours, reproduce_method(options, recipe, method, *data));
    reproduction.methods.push_back(std::move(ours));
    // After each method, so that what is there can be looked at while the others run.
    MASH_TRY(write_report(options, report_of(reproduction, options.command)));
  }
  return show_report(options, report_of(reproduction, options.command));
}

}  // namespace mash
