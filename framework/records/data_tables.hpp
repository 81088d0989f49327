// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/records/records.hpp"
#include "framework/render/data_table.hpp"

namespace mash {

// The tables and views of the records that others may compute with: those of docs/records.md down to "What a
// server keeps", and its views. What a server keeps of people (names, hashes of passwords, tokens, sources
// that nobody has published) is not among them, nor are tables of packed bytes.
std::span<const std::string_view> data_table_names();

// These tables, or all where none is named, all of one moment, in memory. Errors (kInput): a name that is not
// among data_table_names; those of the database.
Result<std::vector<DataTable>> read_data_tables(const RecordsReader& records,
                                                std::span<const std::string> names);

}  // namespace mash
