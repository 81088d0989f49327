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
// Errors (kInput): no such name.
Result<DataFormat> data_format_named(std::string_view name);

// Writes tables: as npz into one file, each column an array "TABLE/COLUMN"; as csv into a folder, each table
// a file TABLE.csv. Errors: kInput as of check_data_files; kFailure: the disk's.
Status write_tables(std::span<const DataTable> tables, DataFormat format, const std::filesystem::path& path);

// Whether they can be written there. Errors (kInput): a folder where a file is to be or the other way round,
// or nothing can be made there.
Status check_data_files(DataFormat format, const std::filesystem::path& path);

}  // namespace mash
