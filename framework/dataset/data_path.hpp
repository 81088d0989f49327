// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Where the user's own data sets are: what is downloaded or imported goes there.
std::filesystem::path user_dataset_folder();
// Where data sets are looked for, in this order: $MASH_DATA, if it is set, and the folder above.
std::vector<std::filesystem::path> data_roots();

// Whether a data set of that name lies where find_data_path looks for it without a path.
bool is_at_hand(std::string_view name);

// The file or folder that the key `path` names (relative ones also below $MASH_DATA and the user's data sets)
// or, without the key, the folder of the format's name there.
// Errors: kInput when it is missing; the message lists the places looked at, and says what gets it. An empty
// path where the settings are only checked.
Result<std::filesystem::path> find_data_path(Settings& settings, std::string_view format);

// Where the pictures of a data set are: the keys `path` and `list`, of which one may be missing. A relative
// list is looked for below `path`, too; without `path` its pictures are below its own folder.
struct PicturePlace {
  std::filesystem::path folder;
  std::filesystem::path list;  // empty: the folder itself says it all
};
// Errors: as find_data_path.
Result<PicturePlace> find_picture_place(Settings& settings, std::string_view format);

// The files of a table: the keys `path`, which must be there, and `test_path`; looked for like
// find_data_path.
struct TablePaths {
  std::filesystem::path train;
  std::optional<std::filesystem::path> test;
};
Result<TablePaths> find_table_paths(Settings& settings, std::string_view format);

}  // namespace mash
