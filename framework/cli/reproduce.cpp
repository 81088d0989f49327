// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/reproduce.hpp"

#include <algorithm>
#include <array>

#include "framework/base/shell_word.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/reproductions/errata.hpp"

namespace mash {
namespace {

// Something published that can be reproduced.
struct Reproducible {
  std::string_view name;     // on the command line
  std::string_view summary;  // what it shows, and where it was published
  std::string_view options;  // those below that it takes, with its defaults
  Status (*reproduce)(const ReproduceOptions& options);
};

constexpr std::string_view kSamplingOptions = "--rounds [1000] --runs [3] --seed --methods --beside --tune";

constexpr std::array kReproducible{
    Reproducible{"table1", "MNIST, thirteen samplers (Dubout & Fleuret 2014)", kSamplingOptions,
                 reproduce_sampling_table},
    Reproducible{"table2", "INRIA Person, a subset, the same (ibid.)", kSamplingOptions,
                 reproduce_sampling_table},
    Reproducible{"table4", "CIFAR-10, a subset, the same (ibid.)", kSamplingOptions,
                 reproduce_sampling_table},
    Reproducible{"figure1", "the expected edge of Q candidates on S examples at fixed Q S (ibid.)", "--seed",
                 reproduce_edge_figure},
    Reproducible{"figure2", "MNIST, the gap to the best edge of three strategies (ibid.)",
                 "--rounds [100] --runs [10] --seed", reproduce_gap_figure},
    Reproducible{
        "bandit-table1",
        "five data sets, three weak learners, bandits; errors and times (Busa-Fekete & Kegl 2010)",
        "--rounds --runs [3; splits to validate: 1] --seed --methods --sets --learners --validate --grid",
        reproduce_bandit_table},
    Reproducible{"figure3", "the features that bandits select on synthetic data (ibid.)",
                 "--rounds [10000] --runs [10] --seed --methods --sets", reproduce_selection_figure},
};

// Options that not everything takes.
constexpr std::array kOptions{"--rounds", "--runs", "--seed",     "--methods",  "--beside",
                              "--tune",   "--sets", "--learners", "--validate", "--grid"};

std::string listing() {
  std::string text = "What can be reproduced, and the options that it takes:\n";
  for (const Reproducible& row : kReproducible)
    text += fmt::format("  {:<14} {}\n                   {}\n", row.name, row.summary, row.options);
  return text;
}

Result<const Reproducible*> find(const std::string& name) {
  std::vector<std::string_view> known;
  for (const Reproducible& row : kReproducible) {
    if (row.name == name) return &row;
    known.push_back(row.name);
  }
  if (name.empty()) return input_error("no table or figure; known: {}", fmt::join(known, ", "));
  return unknown_name("table or figure", name, known);
}

bool takes(const Reproducible& row, std::string_view option) {
  for (const std::string& taken : CLI::detail::split(std::string(row.options), ' '))
    if (taken == option) return true;
  return false;
}

Status check_options(const Reproducible& row, const CLI::App& app) {
  for (const char* option : kOptions)
    if (app.count(option) > 0 && !takes(row, option))
      return input_error("{}: {} does not take it; it takes {}", option, row.name, row.options);
  return Done{};
}

// The key or one below it: "booster.rounds" is within "booster".
bool is_within(std::string_view key, std::string_view section) {
  return key == section || (key.starts_with(section) && key[section.size()] == '.');
}

// What a table decides itself would be kept silently from a user who sets it too.
Status check_overrides(const Reproducible& row, std::span<const std::string> overrides) {
  struct Decided {
    std::string_view key, what;
  };
  constexpr std::array kDecided{Decided{"sampler", "sampler"}, Decided{"weak", "weak learner"},
                                Decided{"seed", "seed"}, Decided{"runs", "number of runs"},
                                Decided{"booster.rounds", "number of rounds"}};
  for (const std::string& text : overrides) {
    if (row.reproduce == reproduce_edge_figure)
      return input_error("--set {}: {} trains nothing; it takes {}", text, row.name, row.options);
    const std::string key = text.substr(0, text.find('='));
    for (const Decided& decided : kDecided) {
      if (decided.key == "weak" && row.reproduce != reproduce_bandit_table) continue;
      if (is_within(key, decided.key) || is_within(decided.key, key))
        return input_error(
            "--set {}: {} has a {} of its own; expected another key, or one of its options: {}", text,
            row.name, decided.what, row.options);
    }
  }
  return Done{};
}

// The command with what was said of what is to be computed, and not of where and how to run it.
std::string command_of(const ReproduceOptions& options, const CLI::App& app) {
  std::string command = "mash reproduce " + options.name;
  for (const char* option : kOptions) {
    const CLI::Option& given = *app.get_option(option);
    if (given.count() == 0) continue;
    command += std::string(" ") + option;
    if (given.get_items_expected_max() > 0) command += " " + given.results()[0];
  }
  for (const std::string& text : options.run.overrides) command += " --set " + shell_word(text);
  return command;
}

Status reproduce(ReproduceOptions& options, const CLI::App& app) {
  if (options.errata) {
    const Table table = laminating_errata();
    fmt::print("{}", options.run.output.json ? render_json(table) + "\n"
                                             : table.title + "\n\n" + render_text(table));
    return Done{};
  }
  MASH_ASSIGN(const Reproducible* row, find(options.name));
  MASH_TRY(check_options(*row, app));
  MASH_TRY(check_overrides(*row, options.run.overrides));
  if (!options.folder.empty())
    MASH_TRY(check_output_file("--out", std::filesystem::path(options.folder) / "x"));
  options.command = command_of(options, app);
  return row->reproduce(options);
}

void add_choices(CLI::App& app, ReproduceOptions& options) {
  app.add_option("--rounds", options.num_rounds, "Rounds of each training")->check(CLI::Range(1, 10'000'000));
  app.add_option("--runs", options.runs, "Seeds of each method")->check(CLI::Range(1, 100'000));
  app.add_option("--sets", options.sets, "Only these data sets, with commas between")->type_name("LIST");
  app.add_option("--learners", options.learners, "Only these weak learners")->type_name("LIST");
  app.add_option("--methods", options.methods, "Only these methods")->type_name("LIST");
  app.add_option("--beside", options.beside, "Show these samplers too, which the paper does not have")
      ->type_name("LIST");
  app.add_flag("--tune", options.tune, "Tune the bandits as the paper did: twelve trainings for each");
  app.add_flag("--validate", options.validate,
               "Find the numbers of rounds instead, on a fifth of the training side");
  app.add_flag("--grid", options.grid, "And Exp3.P's eta and lambda: 156 trainings for each");
}

}  // namespace

Subcommand add_reproduce(CLI::App& program) {
  const auto options = std::make_shared<ReproduceOptions>();
  options->run.reuse_finished = true;
  CLI::App* app =
      program.add_subcommand("reproduce", "Show a published table or figure with our results beside it");
  app->add_option("NAME", options->name, "Of a table or figure; they are listed below");
  app->add_flag(
      "--errata", options->errata,
      "Instead of a table: show by simulation that a printed bound fails and the corrected one holds");
  add_choices(*app, *options);
  app->add_option("--out", options->folder, "Write NAME.md, NAME.csv and NAME.svg into this folder")
      ->type_name("DIR");
  options->run.add_to(*app);
  app->remove_option(app->get_option("--model"));  // there are as many as methods and seeds, and none is kept
  app->footer(listing() +
              "Examples:\n  mash reproduce table1 --rounds 100 --methods laminating,tasting.q1\n"
              "  mash reproduce bandit-table1 --sets usps --learners stump\n"
              "What the records have is not trained again, so an interrupted command goes on where it was.");
  return {app, [options, app]() -> Status { return reproduce(*options, *app); }};
}

}  // namespace mash
