// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/options.hpp"

#include <algorithm>
#include <opencv2/core/utility.hpp>

#include "framework/cli/terminal.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/experiment/setting_value.hpp"

namespace mash {

void OutputOptions::add_to(CLI::App& command) {
  command.add_flag("--json", json, "Print one JSON document on stdout; everything else goes to stderr");
  command.add_flag("--quiet,-q", quiet, "No progress bar, no remarks, no warnings");
}

CommandWork::CommandWork(const OutputOptions& output, int num_threads, bool ends_at_once)
    : progress_(output.quiet ? silent_progress() : terminal_progress()),
      workers_(num_threads),
      context_{workers_, *progress_, output.quiet ? no_remarks() : stderr_remarks(),
               ends_at_once ? never_ : stop_on_signals()} {
  cv::setNumThreads(1);  // the work runs on its own threads, and OpenCV on the one that calls it
}

CLI::Option* add_heuristic_argument(CLI::App& command, std::string& heuristic) {
  return command.add_option("HEURISTIC", heuristic, kHeuristicNames)->type_name("DIR|FILE|ID");
}

void add_experiment_argument(CLI::App& command, std::string& experiment) {
  command
      .add_option("EXPERIMENT", experiment,
                  "The experiment file (YAML), or the name of one that comes with the program, such as demo")
      ->type_name("")
      ->required();
}

CLI::Option* add_setting_option(CLI::App& command, std::vector<std::string>& settings) {
  return command
      .add_option(
          "--setting", settings,
          "A setting of the heuristic, such as levels=8, in place of its default (may be repeated); mash "
          "heuristic show lists them")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

void add_experiment_settings(CLI::App& command, std::vector<std::string>& settings) {
  command
      .add_option("--set", settings,
                  "Replace a setting of the experiment, such as dataset.train=1000 (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_anyway_option(CLI::App& command, bool& anyway) {
  command.add_flag(
      "--anyway", anyway,
      "Go on with a heuristic that fails its checks (load to determinism), which are made first. Reads "
      "outside of arrays that do no harm are found by mash heuristic check alone, with sanitizers");
}

void add_heuristics_option(CLI::App& command, std::vector<std::string>& heuristics) {
  command
      .add_option(
          "--heuristics", heuristics,
          "Folder of plugins, folder of a project that is built, or plugin file, to look at before the usual "
          "folders (may be repeated)")
      ->type_name("PATH")
      ->allow_extra_args(false);
}

void add_isolation_options(CLI::App& command, Isolation& isolation, std::uint32_t& patience) {
  constexpr std::string_view kPlaces[] = {"none", "process", "box"};
  takes_one_of(
      command.add_option_function<std::string>(
          "--isolation",
          [&isolation](const std::string& name) {
            const auto named = isolation_named(name);
            if (!named.ok()) throw CLI::ValidationError("--isolation", named.error().message);
            isolation = *named;
          },
          "Where heuristics run: none (in this program), process (apart from it), box (apart, and out of "
          "reach of files and network) [none for those that come with it, process for others]"),
      kPlaces);
  command
      .add_option("--patience", patience,
                  "Multiply the time limits of heuristics that run apart from this program by N [1]")
      ->type_name("N")
      ->check(within(1u, kMaxPatience));
}

void add_plugin_options(CLI::App& command, PluginPlaces& plugins) {
  add_heuristics_option(command, plugins.named);
  add_isolation_options(command, plugins.isolation, plugins.patience);
}

void add_changed_heuristics_option(CLI::App& command, ChangedHeuristics& changed) {
  changed.advice = "; --changed-heuristics goes on with these";
  command.add_flag("--changed-heuristics", changed.are_taken,
                   "Go on where a heuristic computes other features than when the model was trained, though "
                   "its version is the same");
}

void add_threads_option(CLI::App& command, int& num_threads) {
  command
      .add_option("--threads", num_threads, "Threads; 0 for one per core [0]. Results do not depend on it")
      ->type_name("N")
      ->check(within(0, 1024));
}

void add_database_option(CLI::App& command, std::string& database) {
  command.add_option("--db", database, "Database of records [" + default_database().string() + "]")
      ->type_name("FILE");
}

void DatasetOptions::add_to(CLI::App& command) {
  command
      .add_option("--set", settings,
                  "A setting of the data set, such as dataset.path=DIR, or path=DIR for short (may be "
                  "repeated)")
      ->type_name("DATASET.KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--seed", seed, "Seed for a generated data set, or for a split by fraction [1]")
      ->type_name("N")
      ->check(within(std::int64_t(0), INT64_MAX));
}

Result<Settings> DatasetOptions::read() const { return parse_dataset_settings({settings, "--set"}); }

void RunOptions::add_to(CLI::App& command) {
  output.add_to(command);
  add_heuristics_option(command, heuristics);
  add_isolation_options(command, isolation, patience);
  add_experiment_settings(command, settings);
  command.add_option("--seed", seed, "The first seed, in place of the experiment's")
      ->type_name("N")
      ->check(within(std::int64_t(0), INT64_MAX));
  add_threads_option(command, num_threads);
  add_database_option(command, database);
  command
      .add_option(
          "--store", store,
          "Feature store: the folder that computed features are kept in [" + default_store().string() + "]")
      ->type_name("DIR");
  command
      .add_option(
          "--store-limit", store_limit,
          "Space for the experiment's features on disk, such as 4G; families of features beyond it are "
          "computed on demand")
      ->type_name("SIZE")
      ->capture_default_str();
  command
      .add_option(
          "--family-limit", family_limit,
          "Space that the features of one heuristic may take on disk while they are computed; one that "
          "would take more is left out")
      ->type_name("SIZE")
      ->capture_default_str();
  command.add_flag("--strict", strict,
                   "Refuse a heuristic that gives a value that is infinite or not a number");
}

Status refuse_other_options(const CLI::App& command, std::string_view with,
                            std::span<const std::string_view> taken) {
  for (const CLI::Option* option : command.get_options())
    if (option->count() > 0 && std::find(taken.begin(), taken.end(), option->get_name()) == taken.end())
      return input_error("{}: found {} too, which has no effect beside it", with, option->get_name());
  return Done{};
}

Overrides RunOptions::overrides() const {
  Overrides overrides{settings, "--set"};
  if (isolation != Isolation::kByOrigin)
    overrides.texts.push_back(fmt::format("isolation={}", to_string(isolation)));
  if (patience != 1) overrides.texts.push_back(fmt::format("patience={}", patience));
  return overrides;
}

Result<WorkspaceSettings> RunOptions::workspace() const {
  const auto limit = parse_size(store_limit);
  if (!limit.ok()) return limit.error().at("--store-limit");
  const auto of_family = parse_size(family_limit);
  if (!of_family.ok()) return of_family.error().at("--family-limit");
  return WorkspaceSettings{heuristics, database, store, *limit, strict, *of_family};
}

}  // namespace mash
