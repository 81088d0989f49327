// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/records/records.hpp"
#include "framework/render/data_table.hpp"

namespace mash {

// The names of the tables and views that programs outside may compute with: the tables that docs/records.md
// lists before "What a server keeps", and the views. They hold nothing that a server keeps about people
// (names, hashes of passwords, tokens, unpublished sources) and no tables of packed bytes.
std::span<const std::string_view> data_table_names();

// These tables, or all where none is named, read into memory as they are at one moment. Errors (kInput): a
// name that is not among data_table_names; those of the database.
Result<std::vector<DataTable>> read_data_tables(const RecordsReader& records,
                                                std::span<const std::string> names);

}  // namespace mash
