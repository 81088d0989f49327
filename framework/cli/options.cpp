// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/options.hpp"

#include <spdlog/spdlog.h>

#include "framework/operations/places.hpp"

namespace mash {
namespace {

class StderrRemarks final : public Remarks {
 public:
  void warn(std::string_view text) override { fmt::print(stderr, "warning: {}\n", text); }
  void tell(std::string_view text) override { fmt::print(stderr, "{}\n", text); }
};

Remarks& stderr_remarks() {
  static StderrRemarks instance;
  return instance;
}

}  // namespace

void OutputOptions::add_to(CLI::App& command) {
  command.add_flag("--json", json, "Print one JSON document on stdout; everything else goes to stderr");
  command.add_flag("--quiet,-q", quiet, "No progress bar, no remarks, no warnings")
      ->each([](const std::string& value) {
        if (value == "true") spdlog::set_level(spdlog::level::err);
      });
}

CommandWork::CommandWork(const OutputOptions& output, int num_threads, bool ends_at_once)
    : progress_(output.quiet ? silent_progress() : terminal_progress()),
      workers_(num_threads),
      context_{workers_, *progress_, output.quiet ? no_remarks() : stderr_remarks(),
               ends_at_once ? never_ : stop_on_signals()} {}

void add_heuristics_option(CLI::App& command, std::vector<std::string>& heuristics) {
  command
      .add_option(
          "--heuristics", heuristics,
          "Folder of plugins, or a plugin file, to look at before the usual folders (may be repeated)")
      ->type_name("PATH")
      ->allow_extra_args(false);
}

void add_threads_option(CLI::App& command, int& num_threads) {
  command.add_option("--threads", num_threads, "Threads; 0 for one per core. Results do not depend on it")
      ->check(CLI::Range(0, 1024));
}

void add_database_option(CLI::App& command, std::string& database) {
  command.add_option("--db", database, "Database of records [" + default_database().string() + "]")
      ->type_name("FILE");
}

void DatasetOptions::add_to(CLI::App& command) {
  command.add_option("--set", settings, "A setting of the data set, such as path=DIR (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--seed", seed, "Seed for a generated data set, or for a split by fraction")
      ->check(CLI::Range(std::int64_t(0), INT64_MAX));
}

Result<Settings> DatasetOptions::read() const {
  Settings read;
  for (const std::string& text : settings) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) return input_error("--set {}: expected key=value", text);
    read.add(text.substr(0, equals), text.substr(equals + 1), "--set " + text);
  }
  return read;
}

void RunOptions::add_to(CLI::App& command) {
  output.add_to(command);
  add_heuristics_option(command, heuristics);
  command
      .add_option("--set", overrides,
                  "Replace a setting of the experiment, such as sampler.budget=5 (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--seed", seed, "The first seed, in place of the experiment's")
      ->check(CLI::Range(std::int64_t(0), INT64_MAX));
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
  command.add_flag("--strict", strict,
                   "Refuse a heuristic that gives a value that is infinite or not a number");
}

Result<WorkspaceSettings> RunOptions::workspace() const {
  const auto limit = parse_size(store_limit);
  if (!limit.ok()) return limit.error().at("--store-limit");
  return WorkspaceSettings{heuristics, database, store, *limit, strict};
}

}  // namespace mash
