// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "framework/base/work_context.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/imported.hpp"

namespace mash {

struct ImportSettings {
  std::filesystem::path path;  // a file or a folder
  std::string name;
  std::string format;      // one of dataset_formats(); empty: told by what is there
  Settings settings;       // of the format, beside `path`
  bool copies = false;     // the files, into the user's folder of data sets
  std::uint64_t seed = 1;  // of a split by a fraction
};

struct ImportResult {
  ImportedDataset imported;
  Dataset dataset;
  std::filesystem::path place;  // of the files from now on
};

// Errors (kInput): what can be no name of a data set, or is a format's or another data set's.
Status check_new_dataset_name(const std::string& name);

// The format of a file or folder, by its name or the names of what it holds. Errors (kInput): it is not
// there, or its name tells nothing, with the formats that there are.
Result<std::string> guess_format(const std::filesystem::path& path);

// Reads the data set once, and writes down where it is and how it is read, so that its name is enough from
// then on. Errors (kInput): those of guess_format and load_dataset; a name that is taken, or can be none.
Result<ImportResult> import_dataset(const ImportSettings& settings, const WorkContext& work);

nlohmann::ordered_json to_json(const ImportResult& result);

}  // namespace mash
