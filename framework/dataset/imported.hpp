// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// A data set to which a user has given a name: what `mash dataset import` writes down about it, as a file
// NAME.json in one of the folders where data sets are looked for.
struct ImportedDataset {
  std::string name, format;
  // As an experiment would have them beside the name; `path` and `test_path` may be relative to the folder of
  // the file.
  Settings settings = {};
  std::uint64_t num_train = 0, num_test = 0, num_classes = 0;  // when it was imported
};

// The setting in a file of JSON: a text, or a list of texts.
nlohmann::ordered_json to_json(const Settings::Entry& setting);

// Whether it can be a name, and so part of a file's: letters, digits, '-', '_' and '.', not at the beginning.
bool is_dataset_name(std::string_view name);

// The file that describes it among the user's data sets.
std::filesystem::path description_path(std::string_view name);

// Nothing where nobody imported a data set of that name. Errors (kInput): its file is no description.
Result<std::optional<ImportedDataset>> find_imported(std::string_view name);

// All names, sorted.
std::vector<std::string> imported_names();

// Its settings, with those that are given in place of them.
Settings settings_of(const ImportedDataset& imported, const Settings& given);

Status write_description(const ImportedDataset& imported);

}  // namespace mash
