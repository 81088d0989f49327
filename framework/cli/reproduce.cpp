// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "classifiers/builtin.hpp"
#include "framework/base/file.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/cli/recipes.hpp"
#include "framework/cli/run_experiment.hpp"
#include "framework/reports/reproduction.hpp"
#include "framework/reports/reproduction_chart.hpp"

namespace mash {
namespace {

struct ReproduceOptions {
  RunOptions run;
  std::string table, folder, methods;
  std::uint32_t num_rounds = 1000, num_runs = 3;
  std::uint64_t seed = 1;
  bool tune = false;
};

Result<Experiment> recipe_of(const ReproduceOptions& options) {
  for (const Recipe& recipe : recipes()) {
    if (recipe.name != options.table) continue;
    const std::string file = fmt::format("experiments/{}.yaml", recipe.name);
    MASH_ASSIGN(Experiment experiment,
                parse_experiment(std::string(recipe.text), file, options.run.overrides));
    experiment.booster.settings.add("rounds", std::to_string(options.num_rounds), "--rounds");
    experiment.seed = options.seed;
    experiment.runs = options.num_runs;
    return experiment;
  }
  return failure("no recipe {}", options.table);
}

// The methods that the user wants: all, or those of the samplers that are named.
Result<std::vector<const PublishedMethod*>> wanted_methods(const ReproduceOptions& options,
                                                           const PublishedTable& table) {
  std::vector<const PublishedMethod*> wanted;
  std::vector<std::string_view> known;
  for (const PublishedMethod& method : table.methods) known.push_back(method.sampler);
  if (options.methods.empty()) {
    for (const PublishedMethod& method : table.methods) wanted.push_back(&method);
    return wanted;
  }
  for (const std::string& name : CLI::detail::split(options.methods, ',')) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) return unknown_name("method", name, known).at("--methods");
    wanted.push_back(&table.methods[std::size_t(found - known.begin())]);
  }
  return wanted;
}

Result<ReproducedMethod> reproduce_method(const ReproduceOptions& options, const Experiment& recipe,
                                          const PublishedMethod& method, Progress& progress) {
  Experiment experiment = recipe;
  experiment.sampler.name = method.sampler;
  experiment.sampler.settings = {};
  experiment.sampler.where = "reproduce";
  if (options.tune && !method.tuned_setting.empty())
    experiment.sampler.settings.add(std::string(method.tuned_setting), std::string(kTuned), "--tune");
  MASH_ASSIGN(const ExperimentOutcome outcome, run_experiment(experiment, options.run, progress));
  if (outcome.stopped) return Error{ErrorKind::kStopped, "stopped; run the same command again to go on"};
  ReproducedMethod ours;
  ours.method = &method;
  for (const RunOutcome& run : outcome.runs) {
    ours.curves.push_back(run.result.curve);
    ours.tunings.push_back(run.tuning);
  }
  return ours;
}

std::string command_of(const ReproduceOptions& options) {
  std::string command = fmt::format("mash reproduce {} --rounds {} --runs {}", options.table,
                                    options.num_rounds, options.num_runs);
  if (options.seed != 1) command += fmt::format(" --seed {}", options.seed);
  if (!options.methods.empty()) command += " --methods " + options.methods;
  if (options.tune) command += " --tune";
  for (const std::string& text : options.run.overrides) command += " --set " + text;
  return command;
}

Status write_files(const ReproduceOptions& options, const Reproduction& reproduction) {
  const std::filesystem::path folder = options.folder;
  MASH_TRY(write_file_atomically(folder / (options.table + ".md"),
                                 reproduction_markdown(reproduction, command_of(options))));
  MASH_TRY(write_file_atomically(folder / (options.table + ".svg"), reproduction_svg(reproduction)));
  return write_file_atomically(folder / (options.table + ".csv"),
                               render_csv(reproduction_table(reproduction)));
}

Status reproduce(const ReproduceOptions& options) {
  MASH_ASSIGN(const PublishedTable* table, find_published_table(options.table));
  MASH_ASSIGN(const auto methods, wanted_methods(options, *table));
  if (!options.folder.empty())
    MASH_TRY(check_output_file("--out", std::filesystem::path(options.folder) / "x"));
  MASH_ASSIGN(const Experiment recipe, recipe_of(options));
  const auto progress = options.run.output.progress();
  Reproduction reproduction{table, options.num_rounds, {}};
  for (const PublishedMethod* method : methods) {
    if (!options.run.output.quiet)
      fmt::print(stderr, "{} ({} of {})\n", method->name, reproduction.methods.size() + 1, methods.size());
    MASH_ASSIGN(auto ours, reproduce_method(options, recipe, *method, *progress));
    reproduction.methods.push_back(std::move(ours));
    // After each method, so that what is there can be looked at while the others run.
    if (!options.folder.empty()) MASH_TRY(write_files(options, reproduction));
  }
  const Table result = reproduction_table(reproduction);
  if (options.run.output.json) {
    fmt::print("{}\n", render_json(result));
    return Done{};
  }
  fmt::print("{}", render_text(result));
  if (!table->caveat.empty()) fmt::print("\n{}\n", table->caveat);
  fmt::print("\n");
  for (const std::string& line : reproduction_summary(reproduction)) fmt::print("{}\n", line);
  return Done{};
}

}  // namespace

Subcommand add_reproduce(CLI::App& program) {
  const auto options = std::make_shared<ReproduceOptions>();
  options->run.reuse_finished = true;
  CLI::App* app = program.add_subcommand("reproduce", "Show a published table with our results beside it");
  app->add_option("TABLE", options->table, "table1 (MNIST), table2 (INRIA), table4 (CIFAR-10)")->required();
  app->add_option("--rounds", options->num_rounds, "Rounds of each training")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  app->add_option("--runs", options->num_runs, "Seeds of each method")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app->add_option("--seed", options->seed, "The first seed")
      ->check(CLI::Range(std::int64_t(0), INT64_MAX))
      ->capture_default_str();
  app->add_option("--methods", options->methods, "Only these, by our samplers' names, with commas between")
      ->type_name("LIST");
  app->add_option("--out", options->folder, "Write TABLE.md, TABLE.csv and TABLE.svg into this folder")
      ->type_name("DIR");
  app->add_flag("--tune", options->tune, "Tune the bandits as the paper did: twelve trainings for each");
  options->run.add_to(*app);
  app->remove_option(app->get_option("--model"));  // there are as many as methods and seeds, and none is kept
  app->footer(
      "Examples:\n  mash reproduce table1\n  mash reproduce table1 --rounds 100 --methods "
      "laminating,tasting.q1\n"
      "What the records have is not trained again, so an interrupted command goes on where it was.");
  return {app, [options] { return reproduce(*options); }};
}

}  // namespace mash
