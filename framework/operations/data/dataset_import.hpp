// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/duplicates.hpp"
#include "framework/dataset/imported.hpp"

namespace mash {

struct ImportSettings {
  std::filesystem::path path;  // a file or a folder
  std::string name;
  std::string format;      // one of dataset_formats(); empty: told by what is there
  Settings settings;       // of the format, in addition to `path`
  bool copies = false;     // copy the files into the user's folder of data sets
  std::uint64_t seed = 1;  // of a split by a fraction
};

struct ImportResult {
  ImportedDataset imported;
  Dataset dataset;
  std::filesystem::path place;  // of the files from now on
  std::optional<Duplicates> duplicates;
};

// Checks a name for a new data set. Errors (kInput): it cannot name a data set, or is the name of a format or
// of another data set.
Status check_new_dataset_name(const std::string& name);

// Guesses the format of a file or folder from its name or the names of its content. Errors (kInput): it is
// not there, or the names do not tell the format (the message lists the formats).
Result<std::string> guess_format(const std::filesystem::path& path);

// Reads the data set once, and writes down where it is and how it is read. From then on its name is enough.
// Errors (kInput): those of guess_format, load_dataset and check_new_dataset_name.
Result<ImportResult> import_dataset(const ImportSettings& settings, const WorkContext& work);

nlohmann::ordered_json to_json(const ImportResult& result);

}  // namespace mash
