// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <span>
#include <string_view>

#include "framework/records/merge.hpp"

namespace mash {

// Adds the rows of the attached database `source` to those of the database itself; both have this program's
// schema. REQUIRES: inside a transaction. Throws what SQLiteCpp throws.
MergedRecords merge_tables(SQLite::Database& database);

// The tables whose rows it takes over, and those of a server, whose rows it leaves: together all there are.
std::span<const std::string_view> merged_table_names();
std::span<const std::string_view> site_table_names();

}  // namespace mash
