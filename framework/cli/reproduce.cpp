// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "classifiers/builtin.hpp"
#include "classifiers/samplers/laminating_bound.hpp"
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
  std::string table, folder, methods, beside;
  std::uint32_t num_rounds = 1000, num_runs = 3;
  std::uint64_t seed = 1;
  bool tune = false, errata = false;
};

std::vector<std::string> split(const std::string& list) {
  return list.empty() ? std::vector<std::string>() : CLI::detail::split(list, ',');
}

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

// The methods that the user wants: those of the samplers that are named, or all of the table; those to stand
// beside them have no figures in the paper.
Result<std::vector<PublishedMethod>> wanted_methods(const ReproduceOptions& options,
                                                    const PublishedTable& table) {
  std::vector<PublishedMethod> wanted;
  if (options.methods.empty()) wanted.assign(table.methods.begin(), table.methods.end());
  std::vector<std::string_view> known;
  for (const PublishedMethod& method : table.methods) known.push_back(method.sampler);
  for (const std::string& name : split(options.methods)) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) return unknown_name("method", name, known).at("--methods");
    wanted.push_back(table.methods[std::size_t(found - known.begin())]);
  }
  for (const std::string& name : split(options.beside)) {
    const auto row = find_sampler(name);
    if (!row.ok()) return row.error().at("--beside");
    wanted.push_back({(*row)->name, (*row)->name, "", {}, {}});
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
  ours.method = method;
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
  if (!options.beside.empty()) command += " --beside " + options.beside;
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
  for (const PublishedMethod& method : methods) {
    if (!options.run.output.quiet)
      fmt::print(stderr, "{} ({} of {})\n", method.name, reproduction.methods.size() + 1, methods.size());
    MASH_ASSIGN(auto ours, reproduce_method(options, recipe, method, *progress));
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

// Lemma 1 of Dubout & Fleuret 2014 against simulation.
Table errata_table() {
  constexpr std::uint32_t kTrials = 100'000;
  Table table;
  table.title = "Dubout & Fleuret 2014, Lemma 1: how often a pass loses the one good learner of Q";
  table.columns = {{"num_features", "Q", Format::kCount},
                   {"num_examples", "S", Format::kCount},
                   {"delta", "delta", Format::kDecimal},
                   {"simulated", "simulated", Format::kDecimal},
                   {"printed", "bound as printed", Format::kDecimal},
                   {"corrected", "corrected bound", Format::kDecimal},
                   {"verdict", "verdict", Format::kText}};
  for (const std::uint32_t num_features : {2u, 8u, 64u})
    for (const std::uint64_t num_examples : {25u, 100u, 400u})
      for (const double delta : {.1, .2, .25, .4}) {
        const double simulated = laminating_failures(num_features, num_examples, delta, false, kTrials, 1);
        const LaminatingBound bound = laminating_lemma(delta, num_examples);
        const double error = 3 * std::sqrt(simulated * (1 - simulated) / kTrials);
        const char* verdict = simulated - error > bound.corrected ? "both fail"
                              : simulated - error > bound.printed ? "the printed one fails"
                                                                  : "both hold";
        table.rows.push_back({std::int64_t(num_features), std::int64_t(num_examples), delta, simulated,
                              bound.printed, bound.corrected, std::string(verdict)});
      }
  return table;
}

Status show_errata(const OutputOptions& output) {
  const Table table = errata_table();
  fmt::print("{}", output.json ? render_json(table) + "\n" : table.title + "\n\n" + render_text(table));
  return Done{};
}

}  // namespace

Subcommand add_reproduce(CLI::App& program) {
  const auto options = std::make_shared<ReproduceOptions>();
  options->run.reuse_finished = true;
  CLI::App* app = program.add_subcommand("reproduce", "Show a published table with our results beside it");
  app->add_option("TABLE", options->table, "table1 (MNIST), table2 (INRIA), table4 (CIFAR-10)");
  app->add_flag(
      "--errata", options->errata,
      "Instead of a table: show by simulation that a printed bound fails and the corrected one holds");
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
  app->add_option("--beside", options->beside, "Show these samplers too, which the paper does not have")
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
  return {app, [options]() -> Status {
            if (options->errata) return show_errata(options->run.output);
            if (options->table.empty()) return input_error("no table; see mash reproduce --help");
            return reproduce(*options);
          }};
}

}  // namespace mash
