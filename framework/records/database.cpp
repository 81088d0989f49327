// SPDX-License-Identifier: Apache-2.0
#include "framework/records/database.hpp"

#include <sqlite3.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "framework/records/migrations.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kHeaderSize = 100;
// Up to this size every page is checked on opening (some 10 ms); beyond it, the header and what is read.
constexpr std::uintmax_t kQuickCheckLimit = 16u << 20;

std::uint32_t big_endian(const char* bytes, int size) {
  std::uint32_t value = 0;
  for (int i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// Whether the file holds as many pages as its header says. With a log beside it the file may lag behind its
// header.
Status check_length(const fs::path& path, const char* header, std::uintmax_t num_bytes) {
  std::error_code code;
  const fs::path log = path.string() + "-wal";
  if (fs::exists(log, code) && fs::file_size(log, code) > 0) return Done{};
  const std::uint32_t page_size = big_endian(header + 16, 2);
  const std::uintmax_t expected =
      std::uintmax_t(page_size == 1 ? 65536 : page_size) * big_endian(header + 28, 4);
  if (num_bytes < expected) {
    return input_error("{}: is a damaged database: has {} bytes, its header says {}", path.string(),
                       num_bytes, expected);
  }
  return Done{};
}

// What can be said of the file before SQLite sees it; a missing or empty one becomes a new database.
Status check_file(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return Done{};
  if (fs::is_directory(status))
    return input_error("{}: is a folder, expected a database file", path.string());
  if (!fs::is_regular_file(status))
    return input_error("{}: is not a file, expected a database file", path.string());
  const std::uintmax_t num_bytes = fs::file_size(path, code);
  if (num_bytes == 0) return Done{};
  std::array<char, kHeaderSize> header{};
  std::ifstream file(path, std::ios::binary);
  if (!file) return input_error("{}: cannot be read: {}", path.string(), std::strerror(errno));
  file.read(header.data(), header.size());
  if (std::string_view(header.data(), kMagic.size()) != kMagic) {
    return input_error("{}: is not a database: does not begin with 'SQLite format 3'", path.string());
  }
  if (std::size_t(file.gcount()) < header.size()) {
    return input_error("{}: is a damaged database: has {} bytes, the header alone has {}", path.string(),
                       num_bytes, kHeaderSize);
  }
  return check_length(path, header.data(), num_bytes);
}

Status make_folder(const fs::path& path) {
  std::error_code code;
  if (!path.has_parent_path()) return Done{};
  fs::create_directories(path.parent_path(), code);
  if (code) return input_error("{}: its folder cannot be made: {}", path.string(), code.message());
  return Done{};
}

std::string table_names(SQLite::Database& database) {
  SQLite::Statement query(database,
                          "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name LIMIT 5");
  std::string names;
  while (query.executeStep()) names += (names.empty() ? "" : ", ") + query.getColumn(0).getString();
  return names;
}

int pragma_integer(SQLite::Database& database, const char* pragma) {
  return database.execAndGet(pragma).getInt();
}

Status check_owner(SQLite::Database& database, const fs::path& path) {
  const int application_id = pragma_integer(database, "PRAGMA application_id");
  const int version = pragma_integer(database, "PRAGMA user_version");
  const int latest = migrations().back().number;
  const std::string tables = table_names(database);
  if (application_id != kApplicationId && (application_id != 0 || version != 0 || !tables.empty())) {
    return input_error(
        "{}: is another application's database (application id {:#x}, tables: {}), expected one of mash",
        path.string(), static_cast<unsigned>(application_id), tables.empty() ? "none" : tables);
  }
  if (version > latest) {
    return input_error("{}: was written by a newer mash (schema {}); this program knows schemas up to {}",
                       path.string(), version, latest);
  }
  return Done{};
}

Status check_pages(SQLite::Database& database, const fs::path& path) {
  std::error_code code;
  if (fs::file_size(path, code) > kQuickCheckLimit) return Done{};
  const std::string finding = database.execAndGet("PRAGMA quick_check(1)").getString();
  if (finding != "ok") return input_error("{}: is a damaged database: {}", path.string(), finding);
  return Done{};
}

// One transaction per step: a program that dies in between leaves a schema with a number.
void migrate(SQLite::Database& database) {
  const int latest = migrations().back().number;
  while (pragma_integer(database, "PRAGMA user_version") < latest) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    // Another program may have made the step while this one waited for its turn.
    const int version = pragma_integer(database, "PRAGMA user_version");
    if (version >= latest) return;
    const Migration& step = migrations()[std::size_t(version)];
    database.exec(step.sql);
    database.exec(fmt::format("PRAGMA application_id = {}", kApplicationId));
    database.exec(fmt::format("PRAGMA user_version = {}", step.number));
    transaction.commit();
  }
}

}  // namespace

Error database_error(const fs::path& path, const SQLite::Exception& exception) {
  switch (exception.getErrorCode()) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return input_error("{}: is a damaged database: {}", path.string(), exception.what());
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return input_error("{}: cannot be opened for writing: {}", path.string(), exception.what());
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return failure("{}: another program has been writing to it for more than {} s", path.string(),
                     kBusyTimeoutMs / 1000);
    case SQLITE_FULL:
      return failure("{}: the disk is full", path.string());
    default:
      return failure("{}: {}", path.string(), exception.what());
  }
}

Result<std::unique_ptr<SQLite::Database>> open_database(const fs::path& path) {
  MASH_TRY(check_file(path));
  MASH_TRY(make_folder(path));
  try {
    auto database = std::make_unique<SQLite::Database>(
        path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
    MASH_TRY(check_owner(*database, path));
    MASH_TRY(check_pages(*database, path));
    database->exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    migrate(*database);
    return database;
  } catch (const SQLite::Exception& exception) {
    return database_error(path, exception);
  }
}

}  // namespace mash
