// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "framework/base/result.hpp"

namespace mash {

inline constexpr int kBusyTimeoutMs = 30'000;      // how long a writer waits for another one
inline constexpr int kApplicationId = 0x4D415348;  // "MASH", in the header of every database of ours

// Opens or makes a database of ours with the schema up to date: WAL, synchronous NORMAL, foreign keys on.
// Errors (kInput): no SQLite file, damaged, another application's, a newer program's, a place that cannot be
// written.
Result<std::unique_ptr<SQLite::Database>> open_database(const std::filesystem::path& path);

// What an exception of SQLite means to the user of `path`.
Error database_error(const std::filesystem::path& path, const SQLite::Exception& exception);

// Runs `body`, which returns a Result and may throw what SQLiteCpp throws; no such exception gets further
// than here.
template <class Body>
auto with_database(SQLite::Database& database, Body&& body) -> decltype(body(database)) {
  try {
    return std::forward<Body>(body)(database);
  } catch (const SQLite::Exception& exception) {
    return database_error(database.getFilename(), exception);
  }
}

}  // namespace mash
