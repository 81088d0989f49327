// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/render/data_table.hpp"

namespace mash {

// Format of exported data.
enum class DataFormat {
  kNpz,  // arrays for NumPy
  kCsv,
};
// "npz", "csv".
std::string_view to_string(DataFormat format);
// Errors (kInput): there is no such format.
Result<DataFormat> data_format_named(std::string_view name);

// Writes tables. npz is one file, where each column is an array "TABLE/COLUMN"; csv is a folder, where each
// table is a file TABLE.csv. Errors: those of check_data_files (kInput), the disk's (kFailure).
Status write_tables(std::span<const DataTable> tables, DataFormat format, const std::filesystem::path& path);

// Checks that tables can be written at `path`. Errors (kInput): a folder is in the place of the file, or a
// file in the place of the folder, or nothing can be written there.
Status check_data_files(DataFormat format, const std::filesystem::path& path);

}  // namespace mash
