// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/records/records.hpp"

namespace mash {

// What every subcommand takes.
struct OutputOptions {
  bool json = false;
  bool quiet = false;

  void add_to(CLI::App& command);
  // The progress to use: a bar on a terminal, nothing with --quiet or elsewhere.
  std::unique_ptr<Progress> progress() const;
};

// Which plugins there are.
struct CatalogueOptions {
  std::vector<std::string> heuristics;  // folders to search, or plugin files

  void add_to(CLI::App& command);
  // Errors (kInput): a file that was named and is refused, a folder that is not there.
  Result<Catalogue> open() const;
};

// How a data set that is named on the command line is to be read.
struct DatasetOptions {
  std::vector<std::string> settings;  // --set
  std::uint64_t seed = 1;

  void add_to(CLI::App& command);
  // Errors (kInput): those of load_dataset, and a setting that is not KEY=VALUE.
  Result<Dataset> load(const std::string& name, Progress& progress) const;
};

// What training commands take beside these.
struct RunOptions {
  OutputOptions output;
  CatalogueOptions catalogue;
  std::vector<std::string> overrides;  // --set
  std::optional<std::uint64_t> seed;   // the first, in place of the experiment's
  int num_threads = 0;
  std::string database, model, store, store_limit = "64G";
  bool strict = false;
  bool every_test_error = false;  // --every-round of `mash run`
  // Of reproductions, without an option of its own:
  bool reuse_finished = false;  // take the result of an equal run from the records

  void add_to(CLI::App& command);
};

std::filesystem::path default_database();
// The records for reading: `path`, or the default where it is empty. Errors (kInput): there are none yet.
Result<RecordsReader> open_records(const std::string& path);
std::filesystem::path default_store();

// Whether a file can be written here, found out before the work that ends in it. option: "--model".
// Errors (kInput): a folder stands there, or nothing can be made in its folder.
Status check_output_file(std::string_view option, const std::filesystem::path& file);

// Whether features can be kept in this folder. Errors (kInput): it is a file, or nothing can be made in it.
Status check_store_folder(const std::filesystem::path& store);

// A subcommand: adds itself to the program; what `run` returns becomes the exit code.
using Command = std::function<Status()>;
struct Subcommand {
  CLI::App* app = nullptr;
  Command run;
};

Subcommand add_run(CLI::App& program);
Subcommand add_predict(CLI::App& program);
Subcommand add_leaderboard(CLI::App& program);
std::vector<Subcommand> add_heuristic(CLI::App& program);
std::vector<Subcommand> add_dataset(CLI::App& program);
Subcommand add_report(CLI::App& program);
Subcommand add_reproduce(CLI::App& program);
Subcommand add_doctor(CLI::App& program);

}  // namespace mash
