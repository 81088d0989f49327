// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/reproduce.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "framework/base/shell_word.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/places.hpp"
#include "framework/reproductions/errata.hpp"

namespace mash {
namespace {

// What the user of `mash reproduce` asked for.
struct ReproduceOptions {
  RunOptions run;
  ReproduceSettings chosen;
  std::string folder;
  bool errata = false;
};

// Options that not everything takes.
constexpr std::array kOptions{"--rounds", "--runs", "--seed",     "--methods",  "--beside",
                              "--tune",   "--sets", "--learners", "--validate", "--grid"};

std::string listing() {
  std::string text = "What can be reproduced, and the options that it takes:\n";
  for (const Reproducible& row : reproducible())
    text += fmt::format("  {:<14} {}\n                   {}\n", row.name, row.summary, row.options);
  return text;
}

Status check_options(const Reproducible& row, const CLI::App& app) {
  const std::vector<std::string> taken = CLI::detail::split(std::string(row.options), ' ');
  for (const char* option : kOptions)
    if (app.count(option) > 0 && std::find(taken.begin(), taken.end(), option) == taken.end())
      return input_error("{}: {} does not take it; it takes {}", option, row.name, row.options);
  return Done{};
}

// The command that computes the same again, without the options that say where and how it is run.
std::string command_of(const ReproduceOptions& options, const CLI::App& app) {
  std::string command = "mash reproduce " + options.chosen.name;
  for (const char* option : kOptions) {
    const CLI::Option& given = *app.get_option(option);
    if (given.count() == 0) continue;
    command += std::string(" ") + option;
    if (given.get_items_expected_max() > 0) command += fmt::format(" {}", fmt::join(given.results(), ","));
  }
  for (const std::string& text : options.run.overrides) command += " --set " + shell_word(text);
  return command;
}

// The table as JSON, or as text with what there is to say of it.
void print_report(const ReproductionReport& report, bool json) {
  if (json) {
    fmt::print("{}\n", render_json(report.table));
    return;
  }
  fmt::print("{}", render_text(report.table));
  if (!report.caveat.empty()) fmt::print("\n{}\n", report.caveat);
  fmt::print("\n");
  for (const std::string& line : report.remarks) fmt::print("{}\n", line);
}

Status reproduce_one(const ReproduceOptions& options, const CLI::App& app) {
  const bool json = options.run.output.json;
  if (options.errata) {
    const Table table = laminating_errata();
    fmt::print("{}", json ? render_json(table) + "\n" : table.title + "\n\n" + render_text(table));
    return Done{};
  }
  ReproduceSettings settings = options.chosen;
  MASH_ASSIGN(const Reproducible* row, find_reproducible(settings.name));
  MASH_TRY(check_options(*row, app));
  settings.folder = options.folder;
  if (!options.folder.empty()) MASH_TRY(check_output_file("--out", settings.folder / "x"));
  settings.seed = options.run.seed;
  settings.overrides = options.run.overrides;
  settings.command = command_of(options, app);
  MASH_ASSIGN(settings.workspace, options.run.workspace());
  const CommandWork work(options.run.output, options.run.num_threads);
  MASH_ASSIGN(const ReproductionReport report, reproduce(settings, work.context()));
  print_report(report, json);
  return Done{};
}

void add_choices(CLI::App& app, ReproduceSettings& chosen) {
  app.add_option("--rounds", chosen.num_rounds, "Rounds of each training")->check(CLI::Range(1, 10'000'000));
  app.add_option("--runs", chosen.num_runs, "How many seeds each method is trained with")
      ->check(CLI::Range(1, 100'000));
  const auto add_list = [&](const char* name, std::vector<std::string>& names, const char* help) {
    app.add_option(name, names, help)->delimiter(',')->type_name("LIST")->allow_extra_args(false);
  };
  add_list("--sets", chosen.sets, "Only these data sets, separated by commas");
  add_list("--learners", chosen.learners, "Only these weak learners, separated by commas");
  add_list("--methods", chosen.methods, "Only these methods, separated by commas");
  add_list("--beside", chosen.beside, "Show these samplers too, which the paper does not have");
  app.add_flag("--tune", chosen.tune, "Tune the bandits as the paper did: twelve trainings for each");
  app.add_flag(
      "--validate", chosen.validate,
      "Instead of the table, find the numbers of rounds by validation on a fifth of the training side");
  app.add_flag("--grid", chosen.grid,
               "With --validate: find eta and lambda of Exp3.P too, by 156 trainings for each cell");
}

}  // namespace

Subcommand add_reproduce(CLI::App& program) {
  const auto options = std::make_shared<ReproduceOptions>();
  CLI::App* app = program.add_subcommand(
      "reproduce", "Compute a published table or figure and show it beside the published one");
  app->add_option("NAME", options->chosen.name, "The table or figure; all are listed below");
  app->add_flag(
      "--errata", options->errata,
      "Instead of a table: show by simulation that a printed bound fails and the corrected one holds");
  add_choices(*app, options->chosen);
  app->add_option("--out", options->folder, "Write NAME.md, NAME.csv and NAME.svg into this folder")
      ->type_name("DIR");
  options->run.add_to(*app);
  app->footer(
      listing() +
      "Examples:\n  mash reproduce table1 --rounds 100 --methods laminating,tasting.q1\n"
      "  mash reproduce bandit-table1 --sets usps --learners stump\n"
      "Trainings are recorded and not repeated: a command that was interrupted continues where it was.");
  return {app, [options, app]() -> Status { return reproduce_one(*options, *app); }};
}

}  // namespace mash
