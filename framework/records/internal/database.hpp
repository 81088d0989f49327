// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "framework/base/result.hpp"

// SQLite's own connection, for the sources of this folder only: everybody else asks the functions of records.
namespace mash {

inline constexpr int kBusyTimeoutMs = 30'000;      // how long a writer waits for another one
inline constexpr int kApplicationId = 0x4D415348;  // "MASH", in the header of every database of ours

// Opens or makes a database of ours with the schema up to date: WAL, synchronous NORMAL, foreign keys on.
// Errors (kInput): no SQLite file, damaged, another application's, a newer program's, a place that cannot be
// written.
Result<std::unique_ptr<SQLite::Database>> open_database(const std::filesystem::path& path);

// Runs `body` in one moment of the database at `path`, and leaves no trace there. `body` may be called more
// than once: again from the start where another program wrote in a way that would have mixed two moments.
// Errors: those of `body`; kInput: those of open_database, no file, and a schema that is not this program's.
Status read_database(const std::filesystem::path& path, const std::function<Status(SQLite::Database&)>& body);

// The same of a database of ours with this program's schema or an older one.
Status read_any_schema(const std::filesystem::path& path,
                       const std::function<Status(SQLite::Database&)>& body);

// Whether the pages are sound, as far as that is cheap to say. Errors (kInput): damaged.
Status check_pages(SQLite::Database& database, const std::filesystem::path& path);

// The error that an exception of SQLite is for the user of `path`. purpose: "writing", what it was opened
// for.
Error database_error(const std::filesystem::path& path, const SQLite::Exception& exception,
                     std::string_view purpose = "writing");

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
