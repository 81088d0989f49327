// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/options.hpp"

#include "framework/base/file.hpp"

namespace mash {

void OutputOptions::add_to(CLI::App& command) {
  command.add_flag("--json", json, "One JSON document on stdout, all else on stderr");
  command.add_flag("--quiet,-q", quiet, "No progress, no remarks");
}

std::unique_ptr<Progress> OutputOptions::progress() const { return quiet ? silent_progress() : terminal_progress(); }

void CatalogueOptions::add_to(CLI::App& command) {
  command.add_option("--heuristics", heuristics, "Folder of plugins, or a plugin file, to look at first (may be repeated)")
      ->type_name("PATH");
}

Result<Catalogue> CatalogueOptions::open() const {
  std::vector<std::filesystem::path> folders;
  std::vector<std::filesystem::path> files;
  for (const std::string& path : heuristics) {
    std::error_code code;
    if (std::filesystem::is_directory(path, code))
      folders.emplace_back(path);
    else
      files.emplace_back(path);
  }
  Catalogue catalogue = Catalogue::scan({});
  for (const auto& file : files) MASH_TRY(catalogue.add(file));
  catalogue.search(heuristic_folders(folders));
  return catalogue;
}

void RunOptions::add_to(CLI::App& command) {
  output.add_to(command);
  catalogue.add_to(command);
  command.add_option("--set", overrides, "Replace a setting of the experiment, such as sampler.budget=5 (may be repeated)")
      ->type_name("KEY=VALUE");
  command.add_option("--threads", num_threads, "Threads; 0 for one per core. Results do not depend on it")
      ->check(CLI::Range(0, 1024));
  command.add_option("--db", database, "Database of records [" + default_database().string() + "]")->type_name("FILE");
  command.add_option("--model", model, "Write the model here")->type_name("FILE");
  command.add_option("--store", store, "Feature store [" + default_store().string() + "]")->type_name("DIR");
  command.add_option("--store-limit", store_limit, "Families beyond this size on disk are evaluated on demand")
      ->type_name("SIZE")
      ->capture_default_str();
  command.add_flag("--strict", strict, "Refuse a heuristic that gives a value that is not finite");
}

std::filesystem::path default_database() { return user_data_folder() / "mash.db"; }
Result<Records> open_records(const std::string& path) {
  const std::filesystem::path file = path.empty() ? default_database() : std::filesystem::path(path);
  std::error_code code;
  if (!std::filesystem::exists(file, code)) return input_error("{}: no records yet; mash run makes them", file.string());
  return Records::open(file);
}

std::filesystem::path default_store() { return user_cache_folder() / "store"; }

}  // namespace mash
