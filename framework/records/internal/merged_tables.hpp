// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <span>
#include <string_view>

#include "framework/records/merge.hpp"

namespace mash {

// Adds the rows of the attached database `source` to `database`. Both have this program's schema. REQUIRES:
// inside a transaction. Throws what SQLiteCpp throws.
MergedRecords merge_tables(SQLite::Database& database);

// The tables whose rows are merged, and the tables of a server, whose rows are not. Together they are all
// tables.
std::span<const std::string_view> merged_table_names();
std::span<const std::string_view> site_table_names();

}  // namespace mash
