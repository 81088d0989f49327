// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/base/program_end.hpp"
#include "framework/base/result.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"
#include "framework/cli/terminal.hpp"
#include "framework/commandline/values.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/prediction/loaded_model.hpp"
#include "framework/operations/training/workspace.hpp"
#include "framework/operations/workshop/compile.hpp"

namespace mash {

// Options of every subcommand.
struct OutputOptions {
  bool json = false;
  bool quiet = false;

  void add_to(CLI::App& command);

  // The result. Where there is none, what the compiler said is shown even to those who want no remarks.
  template <class T>
  Result<T> result_of(Diagnosed<T> diagnosed) const {
    if (quiet && !diagnosed.result.ok()) print_error_text(harmless(diagnosed.diagnostics));
    return std::move(diagnosed.result);
  }
};

// The work context of a command: a bar on a terminal and remarks on stderr, neither with --quiet; Ctrl-C
// stops it.
class CommandWork {
 public:
  // num_threads: 0 for one per core. ends_at_once: Ctrl-C ends the program, as the work cannot be stopped.
  explicit CommandWork(const OutputOptions& output, int num_threads = 0, bool ends_at_once = false);
  const WorkContext& context() const { return context_; }

 private:
  std::unique_ptr<Progress> progress_;
  Workers workers_;
  StopFlag never_;
  WorkContext context_;
};

// The argument that find_named_heuristic takes.
CLI::Option* add_heuristic_argument(CLI::App& command, std::string& heuristic);
inline constexpr const char* kHeuristicNames =
    "The folder of a project (DIR) or a C++ source (FILE.cpp), which are built, a plugin (FILE.so), or an id "
    "that mash heuristic list shows";

// --setting: settings of a heuristic.
CLI::Option* add_setting_option(CLI::App& command, std::vector<std::string>& settings);

// The experiment that a command works on, and --set for its settings.
void add_experiment_argument(CLI::App& command, std::string& experiment);
void add_experiment_settings(CLI::App& command, std::vector<std::string>& settings);

void add_anyway_option(CLI::App& command, bool& anyway);
void add_heuristics_option(CLI::App& command, std::vector<std::string>& heuristics);
void add_isolation_options(CLI::App& command, Isolation& isolation, std::uint32_t& patience);
// Both.
void add_plugin_options(CLI::App& command, PluginPlaces& plugins);
// For commands that load a model.
void add_changed_heuristics_option(CLI::App& command, ChangedHeuristics& changed);
void add_threads_option(CLI::App& command, int& num_threads);
void add_database_option(CLI::App& command, std::string& database);

// How a data set that is named on the command line is to be read. Its settings are called as those of an
// experiment are, dataset.path=DIR; path=DIR is short for that.
struct DatasetOptions {
  std::vector<std::string> settings;  // --set
  std::uint64_t seed = 1;

  void add_to(CLI::App& command);
  // Errors (kInput): a setting that is not KEY=VALUE, or of another part than the data set.
  Result<Settings> read() const;
};

// Options of every command that trains.
struct RunOptions {
  OutputOptions output;
  std::vector<std::string> heuristics;
  std::vector<std::string> settings;  // --set
  std::optional<std::uint64_t> seed;  // the first, in place of the experiment's
  int num_threads = 0;
  std::string database, store, store_limit = "64G", family_limit = "16G";
  bool strict = false;
  Isolation isolation = Isolation::kByOrigin;  // not that: in place of the experiment's
  std::uint32_t patience = 1;                  // likewise

  void add_to(CLI::App& command);
  Overrides overrides() const;
  // Errors (kInput): --store-limit or --family-limit is no size.
  Result<WorkspaceSettings> workspace() const;
};

// Refuses options that would have no effect. with: the option that makes it so. Errors (kInput): an option or
// argument is given that is not among `taken`.
Status refuse_other_options(const CLI::App& command, std::string_view with,
                            std::span<const std::string_view> taken);

// A subcommand: adds itself to the program; what `run` returns becomes the exit code.
using Command = std::function<Status()>;
struct Subcommand {
  CLI::App* app = nullptr;
  Command run;
};

// One of each file: run.cpp and so on.
Subcommand add_run(CLI::App& program);
Subcommand add_predict(CLI::App& program);
Subcommand add_explain(CLI::App& program);
Subcommand add_mistakes(CLI::App& program);
Subcommand add_leaderboard(CLI::App& program);
std::vector<Subcommand> add_heuristic(CLI::App& program);
std::vector<Subcommand> add_dataset(CLI::App& program);
std::vector<Subcommand> add_schema(CLI::App& program);
std::vector<Subcommand> add_export(CLI::App& program);
Subcommand add_report(CLI::App& program);
Subcommand add_compare(CLI::App& program);
Subcommand add_reproduce(CLI::App& program);
Subcommand add_doctor(CLI::App& program);
Subcommand add_serve(CLI::App& program);
std::vector<Subcommand> add_server(CLI::App& program);
Subcommand add_submit(CLI::App& program);
Subcommand add_status(CLI::App& program);
Subcommand add_help(CLI::App& program);
Subcommand add_completion(CLI::App& program);
std::vector<Subcommand> add_store(CLI::App& program);
std::vector<Subcommand> add_records(CLI::App& program);
std::vector<Subcommand> add_budget(CLI::App& program);

}  // namespace mash
