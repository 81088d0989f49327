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

// SQLite's own connection, for the sources of this folder only. All other code calls the functions of
// records.
namespace mash {

inline constexpr int kBusyTimeoutMs = 30'000;      // how long a writer waits for another one
inline constexpr int kApplicationId = 0x4D415348;  // "MASH", in the header of every database of ours

// A file that came from elsewhere may hold triggers and views, which run when we write and read.
enum class FileFrom { kHere, kElsewhere };

// Opens or makes a database of ours with the schema up to date: WAL, synchronous NORMAL, foreign keys on.
// Errors (kInput): the file is no SQLite file, damaged, another application's or a newer program's, or its
// place cannot be written; from elsewhere, it holds other tables, indexes, views or triggers than mash makes.
Result<std::unique_ptr<SQLite::Database>> open_database(const std::filesystem::path& path,
                                                        FileFrom from = FileFrom::kHere);

// Runs `body`, which sees the database at `path` at one moment, and leaves no trace there. `body` is called
// again from the start where another program wrote meanwhile and two moments would have been mixed. Errors:
// those of `body`; kInput: those of open_database, no such file, and a schema that is not this program's.
Status read_database(const std::filesystem::path& path, const std::function<Status(SQLite::Database&)>& body);

// As read_database, but an older schema is no error.
Status read_any_schema(const std::filesystem::path& path,
                       const std::function<Status(SQLite::Database&)>& body);

// Checks the pages as far as that is cheap. Errors (kInput): damaged.
Status check_pages(SQLite::Database& database, const std::filesystem::path& path);

// The purpose for which a file was opened. Tables that do not take what is asked of them are the fault of the
// file where it is read, and of this machine where it is ours to write.
inline constexpr std::string_view kReading = "reading", kWriting = "writing";

// Turns an exception of SQLite into an error for the user of `path`.
Error database_error(const std::filesystem::path& path, const SQLite::Exception& exception,
                     std::string_view purpose = kWriting);

// Runs `body`, which returns a Result and may throw what SQLiteCpp throws. Such an exception becomes an error
// here.
template <class Body>
auto with_database(SQLite::Database& database, Body&& body, std::string_view purpose = kWriting)
    -> decltype(body(database)) {
  try {
    return std::forward<Body>(body)(database);
  } catch (const SQLite::Exception& exception) {
    return database_error(database.getFilename(), exception, purpose);
  }
}

}  // namespace mash
