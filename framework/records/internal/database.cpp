// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/database.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <thread>

#include "framework/base/percent.hpp"
#include "framework/base/progress.hpp"
#include "framework/base/utf8.hpp"
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kHeaderSize = 100;
constexpr int kMaxAttempts = 100;  // to read while others write
// Up to this size every page is checked on opening (some 10 ms); beyond it, the length and what is read.
constexpr std::uintmax_t kQuickCheckLimit = 16u << 20;

// The beginning of the file, by SQLite's own hand: where a program closes a file that it opened itself, the
// system takes all of its locks on it away, also those of SQLite's connections (sqlite.org/howtocorrupt.html,
// 2.2), and another program may then remove the log under them.
Result<std::array<char, kHeaderSize>> read_header(const fs::path& path) {
  std::array<char, kHeaderSize> header{};
  try {
    const SQLite::Database database(path.string(), SQLite::OPEN_READONLY);
    sqlite3_file* file = nullptr;
    ::sqlite3_file_control(database.getHandle(), nullptr, SQLITE_FCNTL_FILE_POINTER, &file);
    if (!file || !file->pMethods) return input_error("{}: cannot be read", path.string());
    file->pMethods->xRead(file, header.data(), int(header.size()), 0);  // what is not there stays 0
    return header;
  } catch (const SQLite::Exception&) {
    return input_error("{}: cannot be read: {}", path.string(), std::strerror(errno));
  }
}

// Checks the file before SQLite looks into it; a missing or empty one becomes a new database.
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
  MASH_ASSIGN(const auto header, read_header(path));
  if (std::string_view(header.data(), kMagic.size()) != kMagic) {
    return input_error("{}: is not a database: does not begin with 'SQLite format 3'", path.string());
  }
  if (num_bytes < header.size()) {
    return input_error("{}: is a damaged database: has {} bytes, the header alone has {}", path.string(),
                       num_bytes, kHeaderSize);
  }
  return Done{};
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

// The number of the schema, from 0 (nothing there yet) to that of this program.
// Errors (kInput): another application's database, a damaged one, a newer program's.
Result<int> schema_of(SQLite::Database& database, const fs::path& path) {
  // One moment of the file: another program may be making it right now.
  const SQLite::Transaction transaction(database);
  const int application_id = pragma_integer(database, "PRAGMA application_id");
  const int version = pragma_integer(database, "PRAGMA user_version");
  const int latest = migrations().back().number;
  const std::string tables = table_names(database);
  if (application_id != kApplicationId && (application_id != 0 || version != 0 || !tables.empty())) {
    return input_error(
        "{}: is another application's database (application id {:#x}, tables: {}), expected one of mash",
        path.string(), static_cast<unsigned>(application_id), tables.empty() ? "none" : tables);
  }
  if (version < 0)
    return input_error("{}: is a damaged database: found schema {}, expected 0 to {}", path.string(), version,
                       latest);
  if (version > latest) {
    return input_error("{}: was written by a newer mash (schema {}); this program knows schemas up to {}",
                       path.string(), version, latest);
  }
  return version;
}

// "trigger operators" and its text without blanks and quotes, which SQLite writes in several ways.
using SchemaParts = std::map<std::string, std::string>;
SchemaParts schema_parts(SQLite::Database& database) {
  SQLite::Statement row(database, R"sql(
    SELECT type || ' ' || name, COALESCE(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\')sql");
  SchemaParts parts;
  while (row.executeStep()) {
    std::string text = row.getColumn(1).getString();
    std::erase_if(text, [](unsigned char c) { return std::isspace(c) || c == '"'; });
    parts.emplace(row.getColumn(0).getString(), std::move(text));
  }
  return parts;
}

// Errors (kInput): it differs from what the steps up to this number make.
Status check_schema(SQLite::Database& database, const fs::path& path, int version) {
  SQLite::Database ours(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  for (const Migration& step : migrations())
    if (step.number <= version) ours.exec(step.sql);
  SchemaParts missing = schema_parts(ours);
  for (const auto& [name, text] : schema_parts(database)) {
    const auto known = missing.find(name);
    if (known == missing.end() || known->second != text)
      return input_error(
          "{}: holds the {}, which is not what mash makes; expected a database that mash alone has changed",
          path.string(), name);
    missing.erase(known);
  }
  if (missing.empty()) return Done{};
  return input_error("{}: lacks the {}; expected a database that mash alone has changed", path.string(),
                     missing.begin()->first);
}

// SQLite does not wait by itself when two programs turn the same new file to WAL.
void turn_to_wal(SQLite::Database& database) {
  for (const Stopwatch waiting; waiting.seconds() * 1000 < kBusyTimeoutMs;) {
    if (database.tryExec("PRAGMA journal_mode = WAL") == SQLITE_OK) return;
    if (database.getErrorCode() != SQLITE_BUSY) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  database.exec("PRAGMA journal_mode = WAL");
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

// The write-ahead log beside a database; it is there while a program has the database open to write, and
// after one that was killed.
bool has_log(const fs::path& path) {
  std::error_code code;
  return fs::exists(path.string() + "-wal", code);
}

// By what a change of the file itself shows.
struct FileState {
  dev_t device = 0;
  ino_t inode = 0;
  off_t num_bytes = 0;
  std::int64_t changed_s = 0, changed_ns = 0;

  bool operator==(const FileState&) const = default;
};

FileState state_of(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

enum class Schema { kLatest, kAny };

// options: of SQLite's address, beside mode=ro. wanted: which schemas are read.
Status read_once(const fs::path& path, const char* options, Schema wanted,
                 const std::function<Status(SQLite::Database&)>& body) {
  try {
    SQLite::Database database(fmt::format("file:{}?mode=ro{}", percent_encoded(path.string(), "/"), options),
                              SQLite::OPEN_READONLY | SQLite::OPEN_URI, kBusyTimeoutMs);
    MASH_ASSIGN(const int schema, schema_of(database, path));
    if (wanted == Schema::kLatest && schema < migrations().back().number) {
      return input_error(
          "{}: has schema {} of an older mash, expected {}; any command that records, such as mash run, "
          "brings it up to date",
          path.string(), schema, migrations().back().number);
    }
    const SQLite::Transaction moment(database);
    return body(database);
  } catch (const SQLite::Exception& exception) {
    return database_error(path, exception, kReading);
  }
}

Status read_in_one_moment(const fs::path& path, Schema wanted,
                          const std::function<Status(SQLite::Database&)>& body) {
  MASH_TRY(check_file(path));
  std::error_code code;
  if (!fs::exists(path, code)) return input_error("{}: no records yet; mash run makes them", path.string());
  const fs::path file = fs::canonical(path, code);  // SQLite keeps its log beside the file, not beside a link
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    if (has_log(file)) {
      const Status status = read_once(path, "", wanted, body);
      if (status.ok() || has_log(file)) return status;
      continue;  // its writer ended and took the log away
    }
    // Nobody writes: the file alone is the whole database. "immutable" keeps SQLite from making a log, which
    // is sound where the file was not touched meanwhile.
    const FileState before = state_of(file);
    const Status status = read_once(path, "&immutable=1", wanted, body);
    if (!has_log(file) && state_of(file) == before) return status;
  }
  return failure("{}: other programs open and close it faster than it can be read", path.string());
}

}  // namespace

Status check_pages(SQLite::Database& database, const fs::path& path) {
  std::error_code code;
  const std::uintmax_t num_bytes = fs::file_size(path, code);
  const auto page_size = std::uintmax_t(pragma_integer(database, "PRAGMA page_size"));
  if (num_bytes % page_size != 0) {
    return input_error("{}: is a damaged database: has {} bytes, which are no whole pages of {}",
                       path.string(), num_bytes, page_size);
  }
  if (num_bytes > kQuickCheckLimit) return Done{};
  const std::string finding = database.execAndGet("PRAGMA quick_check(1)").getString();
  if (finding != "ok") return input_error("{}: is a damaged database: {}", path.string(), finding);
  return Done{};
}

Error database_error(const fs::path& path, const SQLite::Exception& exception, std::string_view purpose) {
  switch (exception.getErrorCode() & 0xff) {  // without what an extended code says more
    case SQLITE_CORRUPT:
      return input_error(
          "{}: is a damaged database: its pages contradict each other; expected a copy of it, or no file",
          path.string());
    case SQLITE_NOTADB:
      return input_error("{}: is a damaged database: found other content, expected SQLite's", path.string());
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return input_error(
          "{}: cannot be opened for {}: expected a file in a folder that is there, both with the right to "
          "read and write them",
          path.string(), purpose);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return failure("{}: another program has been writing to it for more than {} s", path.string(),
                     kBusyTimeoutMs / 1000);
    case SQLITE_FULL: return failure("{}: the disk is full", path.string());
    case SQLITE_IOERR:
      return failure("{}: cannot be read or written: the disk, or what it is reached by, has a fault",
                     path.string());
    case SQLITE_NOMEM: return failure("{}: out of memory", path.string());
    default:
      if (purpose == kReading)
        return input_error("{}: is a damaged database, or one of another version of SQLite: {}",
                           path.string(), printable(exception.what()));
      return failure(
          "{}: does not take what is written (SQLite's code {}): another program may have changed its "
          "tables; expected a database that mash alone writes to",
          path.string(), exception.getExtendedErrorCode());
  }
}

Result<std::unique_ptr<SQLite::Database>> open_database(const fs::path& path, FileFrom from) {
  MASH_TRY(check_file(path));
  MASH_TRY(make_folder(path));
  try {
    auto database = std::make_unique<SQLite::Database>(
        path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyTimeoutMs);
    MASH_ASSIGN(const int version, schema_of(*database, path));
    MASH_TRY(check_pages(*database, path));
    if (from == FileFrom::kElsewhere) MASH_TRY(check_schema(*database, path, version));
    turn_to_wal(*database);
    database->exec("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
    migrate(*database);
    return database;
  } catch (const SQLite::Exception& exception) {
    // Tables that cannot be brought up to date are the fault of who made the file.
    return database_error(path, exception, from == FileFrom::kElsewhere ? kReading : kWriting);
  }
}

Status read_database(const fs::path& path, const std::function<Status(SQLite::Database&)>& body) {
  return read_in_one_moment(path, Schema::kLatest, body);
}

Status read_any_schema(const fs::path& path, const std::function<Status(SQLite::Database&)>& body) {
  return read_in_one_moment(path, Schema::kAny, body);
}

}  // namespace mash
