// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/operations/data/files.hpp"

namespace mash {

// Tables of the records by name, or all that data_table_names lists. database: empty for the default.
// Errors (kInput): no such table; those of open_records.
Result<std::vector<DataTable>> record_tables(const std::filesystem::path& database,
                                             std::vector<std::string> names);

// Writes them. Returns what was written. Errors: those of record_tables and write_tables.
Result<std::vector<DataTable>> export_records(const std::filesystem::path& database,
                                              std::vector<std::string> names, DataFormat format,
                                              const std::filesystem::path& output);

}  // namespace mash
