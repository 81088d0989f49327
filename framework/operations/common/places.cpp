// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/common/places.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "framework/base/file.hpp"

namespace mash {

namespace fs = std::filesystem;

fs::path default_database() { return user_data_folder() / "mash.db"; }

fs::path default_store() { return user_cache_folder() / "store"; }

Result<RecordsReader> open_records(const fs::path& path) {
  const fs::path file = path.empty() ? default_database() : path;
  std::error_code code;
  if (!fs::exists(file, code)) return input_error("{}: no records yet; mash run makes them", file.string());
  if (auto records = Records::open_read_only(file); records.ok()) return records;
  // Either its schema is older, and opening it to write migrates it; or it cannot be read, and the error of
  // that says why.
  MASH_TRY(Records::open(file));
  return Records::open_read_only(file);
}

Status check_output_file(std::string_view what, const fs::path& file) {
  std::error_code code;
  if (fs::is_directory(file, code))
    return input_error("{} {}: is a folder, expected a file", what, file.string());
  // The nearest folder that is there: the ones below it will be made.
  fs::path folder = fs::absolute(file).parent_path();
  while (!fs::exists(folder, code) && folder.has_relative_path()) folder = folder.parent_path();
  if (!fs::is_directory(folder, code))
    return input_error("{} {}: {} is not a folder", what, file.string(), folder.string());
  if (::access(folder.c_str(), W_OK) != 0)
    return input_error("{} {}: {} cannot be written to: {}", what, file.string(), folder.string(),
                       std::strerror(errno));
  return Done{};
}

Status check_file_in_folder(std::string_view what, const fs::path& file) {
  MASH_TRY(check_output_file(what, file));
  std::error_code code;
  const fs::path folder = fs::absolute(file).parent_path();
  if (fs::is_directory(folder, code)) return Done{};
  return input_error("{} {}: found no folder {}, expected one that is there", what, file.string(),
                     folder.string());
}

Status check_store_folder(const fs::path& store) {
  std::error_code code;
  if (fs::exists(store, code) && !fs::is_directory(store, code))
    return input_error("store {}: is a file, expected a folder", store.string());
  return check_output_file("store", store / "lock");
}

}  // namespace mash
