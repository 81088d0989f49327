// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/options.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "framework/base/file.hpp"

namespace mash {

void OutputOptions::add_to(CLI::App& command) {
  command.add_flag("--json", json, "One JSON document on stdout, all else on stderr");
  command.add_flag("--quiet,-q", quiet, "No progress, no remarks, no warnings")
      ->each([](const std::string& value) {
        if (value == "true") spdlog::set_level(spdlog::level::err);
      });
}

std::unique_ptr<Progress> OutputOptions::progress() const {
  return quiet ? silent_progress() : terminal_progress();
}

void CatalogueOptions::add_to(CLI::App& command) {
  command
      .add_option("--heuristics", heuristics,
                  "Folder of plugins, or a plugin file, to look at first (may be repeated)")
      ->type_name("PATH")
      ->allow_extra_args(false);
}

Result<Catalogue> CatalogueOptions::open() const { return Catalogue::open(heuristics); }

void DatasetOptions::add_to(CLI::App& command) {
  command.add_option("--set", settings, "A setting of the data set, such as path=DIR (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--seed", seed, "Of a generated data set or a split by fraction")
      ->check(CLI::Range(std::int64_t(0), INT64_MAX));
}

Result<Dataset> DatasetOptions::load(const std::string& name, Progress& progress) const {
  Settings read;
  for (const std::string& text : settings) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) return input_error("--set {}: expected key=value", text);
    read.add(text.substr(0, equals), text.substr(equals + 1), "--set " + text);
  }
  return load_dataset(name, read, seed, progress);
}

void RunOptions::add_to(CLI::App& command) {
  output.add_to(command);
  catalogue.add_to(command);
  command
      .add_option("--set", overrides,
                  "Replace a setting of the experiment, such as sampler.budget=5 (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--seed", seed, "The first seed, in place of the experiment's")
      ->check(CLI::Range(std::int64_t(0), INT64_MAX));
  command.add_option("--threads", num_threads, "Threads; 0 for one per core. Results do not depend on it")
      ->check(CLI::Range(0, 1024));
  command.add_option("--db", database, "Database of records [" + default_database().string() + "]")
      ->type_name("FILE");
  command.add_option("--model", model, "Write the model here")->type_name("FILE");
  command.add_option("--store", store, "Feature store [" + default_store().string() + "]")->type_name("DIR");
  command
      .add_option("--store-limit", store_limit, "Families beyond this size on disk are evaluated on demand")
      ->type_name("SIZE")
      ->capture_default_str();
  command.add_flag("--strict", strict, "Refuse a heuristic that gives a value that is not finite");
}

std::filesystem::path default_database() { return user_data_folder() / "mash.db"; }

Result<RecordsReader> open_records(const std::string& path) {
  const std::filesystem::path file = path.empty() ? default_database() : std::filesystem::path(path);
  std::error_code code;
  if (!std::filesystem::exists(file, code))
    return input_error("{}: no records yet; mash run makes them", file.string());
  if (auto records = Records::open_read_only(file); records.ok()) return records;
  // Of an older schema, or not to be read at all, which opening it says.
  MASH_TRY(Records::open(file));
  return Records::open_read_only(file);
}

std::filesystem::path default_store() { return user_cache_folder() / "store"; }

Status check_store_folder(const std::filesystem::path& store) {
  std::error_code code;
  if (std::filesystem::exists(store, code) && !std::filesystem::is_directory(store, code))
    return input_error("--store {}: is a file, expected a folder", store.string());
  return check_output_file("--store", store / "lock");
}

Status check_output_file(std::string_view option, const std::filesystem::path& file) {
  std::error_code code;
  if (std::filesystem::is_directory(file, code))
    return input_error("{} {}: is a folder, expected a file", option, file.string());
  // The nearest folder that is there: the ones below it will be made.
  std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  while (!std::filesystem::exists(folder, code) && folder.has_relative_path()) folder = folder.parent_path();
  if (!std::filesystem::is_directory(folder, code))
    return input_error("{} {}: {} is not a folder", option, file.string(), folder.string());
  if (::access(folder.c_str(), W_OK) != 0)
    return input_error("{} {}: {} cannot be written to: {}", option, file.string(), folder.string(),
                       std::strerror(errno));
  return Done{};
}

}  // namespace mash
