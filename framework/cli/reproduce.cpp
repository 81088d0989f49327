// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/reproduce.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "framework/base/bounded_json.hpp"
#include "framework/base/shell_word.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/reproductions/sampling/errata.hpp"

namespace mash {
namespace {

// Options of `mash reproduce`.
struct ReproduceOptions {
  RunOptions run;
  ReproduceSettings settings;
  std::string folder;
  bool errata = false;
};

std::string option_of(const TakenSetting& setting) { return fmt::format("--{}", setting.name); }

// "--rounds [1000] --runs [3] --seed"
std::string options_of(const Reproducible& row) {
  std::string text;
  for (const TakenSetting& setting : row.settings) {
    text += (text.empty() ? "" : " ") + option_of(setting);
    if (!setting.default_text.empty()) text += fmt::format(" [{}]", setting.default_text);
  }
  return text;
}

std::string listing_of_tables() {
  std::string text = "What can be reproduced, and the options that it takes:\n";
  for (const Reproducible& row : reproducible())
    text += fmt::format("  {:<16} {}\n                     {}\n", row.name, row.summary, options_of(row));
  return text;
}

bool takes(const Reproducible& row, const TakenSetting& setting) {
  return std::any_of(row.settings.begin(), row.settings.end(),
                     [&](const TakenSetting& taken) { return taken.name == setting.name; });
}

// Refuses options that other tables and figures take.
Status check_reproduce_options(const Reproducible& row, const CLI::App& app) {
  for (const Reproducible& other : reproducible())
    for (const TakenSetting& setting : other.settings)
      if (const std::string option = option_of(setting); app.count(option) > 0 && !takes(row, setting))
        return input_error("{}: {} does not take it; it takes {}", option, row.name, options_of(row));
  return Done{};
}

// The command that computes the same again, without the options that say where and how it is run.
std::string command_of(const ReproduceOptions& options, const Reproducible& row, const CLI::App& app) {
  std::string command = fmt::format("mash reproduce {}", row.name);
  for (const TakenSetting& setting : row.settings) {
    const CLI::Option& option = *app.get_option(option_of(setting));
    if (option.count() == 0) continue;
    command += " " + option.get_name();
    if (option.get_items_expected_max() > 0) command += fmt::format(" {}", fmt::join(option.results(), ","));
  }
  for (const std::string& text : options.run.settings) command += " --set " + shell_word(text);
  return command;
}

// The table as JSON, or as text with what there is to say of it.
void print_reproduction(const ReproductionReport& report, bool json) {
  if (json) {
    auto document = parse_object<nlohmann::ordered_json>(render_json(report.table), kOurOwnJson);
    document["caveat"] = report.caveat;
    document["remarks"] = report.remarks;
    print_json(document);
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
    constexpr std::string_view kTaken[] = {"--errata", "--json", "--quiet"};
    MASH_TRY(refuse_other_options(app, "--errata", kTaken));
    const Table table = laminating_errata();
    fmt::print("{}", json ? render_json(table) + "\n" : table.title + "\n\n" + render_text(table));
    return Done{};
  }
  ReproduceSettings settings = options.settings;
  MASH_ASSIGN(const Reproducible* row, find_reproducible(settings.name));
  MASH_TRY(check_reproduce_options(*row, app));
  settings.folder = options.folder;
  if (!options.folder.empty()) MASH_TRY(check_output_file("--out", settings.folder / "x"));
  settings.seed = options.run.seed;
  settings.overrides = options.run.overrides();
  settings.command = command_of(options, *row, app);
  MASH_ASSIGN(settings.workspace, options.run.workspace());
  const CommandWork work(options.run.output, options.run.num_threads);
  MASH_ASSIGN(const ReproductionReport report, reproduce(settings, work.context()));
  print_reproduction(report, json);
  return Done{};
}

void add_reproduce_settings(CLI::App& app, ReproduceSettings& settings) {
  app.add_option("--rounds", settings.num_rounds, "Rounds of each training")
      ->type_name("N")
      ->check(within(1, 10'000'000));
  app.add_option("--runs", settings.num_runs, "How many seeds each method is trained with")
      ->type_name("N")
      ->check(within(1, 100'000));
  const auto add_list = [&](const char* name, std::vector<std::string>& names, const char* help) {
    return app.add_option(name, names, help)->delimiter(',')->type_name("LIST")->allow_extra_args(false);
  };
  add_list("--sets", settings.sets,
           "Only these data sets, separated by commas; a wrong name lists the known ones");
  add_list("--learners", settings.learners,
           "Only these weak learners, separated by commas; a wrong name lists the known ones");
  add_list("--methods", settings.methods,
           "Only these methods, separated by commas; a wrong name lists the known ones");
  add_list("--beside", settings.beside, "Show these samplers too, which the paper does not have")
      ->type_name("SAMPLER");
  app.add_flag("--tune", settings.tune, "Tune the bandits as the paper did: twelve trainings for each");
  CLI::Option* validate = app.add_flag(
      "--validate", settings.validate,
      "Instead of the table, find the numbers of rounds by validation on a fifth of the training side");
  app.add_flag("--grid", settings.grid,
               "With --validate: find eta and lambda of Exp3.P too, by 156 trainings for each cell")
      ->needs(validate);
}

}  // namespace

Subcommand add_reproduce(CLI::App& program) {
  const auto options = std::make_shared<ReproduceOptions>();
  CLI::App* app = program.add_subcommand(
      "reproduce", "Compute a published table or figure and show it beside the published one");
  app->add_option("NAME", options->settings.name, "The table or figure; all are listed below")
      ->type_name("TABLE");
  app->add_flag(
      "--errata", options->errata,
      "Instead of a table: show by simulation that a printed bound fails and the corrected one holds");
  add_reproduce_settings(*app, options->settings);
  app->add_option("--out", options->folder, "Write NAME.md, NAME.csv and NAME.svg into this folder")
      ->type_name("DIR");
  options->run.add_to(*app);
  app->footer(
      listing_of_tables() +
      "Examples:\n  mash reproduce table1 --rounds 100 --methods laminating,tasting.q1\n"
      "  mash reproduce bandit-table1 --sets usps --learners stump\n"
      "Trainings are recorded and not repeated: a command that was interrupted continues where it was.");
  return {app, [options, app]() -> Status { return reproduce_one(*options, *app); }};
}

}  // namespace mash
