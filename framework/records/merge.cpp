// SPDX-License-Identifier: Apache-2.0
#include "framework/records/merge.hpp"

#include <SQLiteCpp/Backup.h>
#include <sqlite3.h>

#include <array>
#include <optional>
#include <string>

#include "framework/base/scratch_folder.hpp"
#include "framework/records/internal/database.hpp"
#include "framework/records/internal/merged_tables.hpp"
#include "framework/records/internal/rows.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

// Errors name the file, not the copy of it.
Error named_after(const fs::path& file, const fs::path& copy, Error error) {
  for (std::size_t at; (at = error.message.find(copy.string())) != std::string::npos;)
    error.message.replace(at, copy.string().size(), file.string());
  return error;
}

Status copy_database(const fs::path& file, const fs::path& copy) {
  return read_any_schema(file, [&](SQLite::Database& from) -> Status {
    std::error_code code;
    fs::remove(copy, code);  // of a look that failed
    SQLite::Database to(copy.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    if (SQLite::Backup(to, from).executeStep(-1) != SQLITE_DONE)
      return failure("{}: another program holds up the copy", file.string());
    return Done{};
  });
}

// A copy with the schema of this program, in which nothing is running.
Result<std::unique_ptr<SQLite::Database>> open_copy(const fs::path& file, const fs::path& copy) {
  MASH_TRY(copy_database(file, copy));
  auto opened = open_database(copy, FileFrom::kElsewhere);
  if (!opened.ok()) return named_after(file, copy, opened.error());
  const auto settle = [&](SQLite::Database& database) -> Status {
    SQLite::Statement broken(database, "PRAGMA foreign_key_check");
    if (broken.executeStep())
      return input_error("{}: is a damaged database: a row of {} belongs to no row of {}", file.string(),
                         broken.getColumn(0).getString(), broken.getColumn(2).getString());
    database.exec("UPDATE experiments SET status = 'interrupted' WHERE status = 'running'");
    return Done{};
  };
  MASH_TRY(with_database(**opened, settle, kReading));
  return opened;
}

Status check_files(std::span<const fs::path> files, const fs::path& database) {
  for (const fs::path& file : files) {
    std::error_code code;
    if (!fs::exists(file, code)) return input_error("{}: there is no such file", file.string());
    if (fs::equivalent(file, database, code))
      return input_error("{}: is the database itself, expected another one to add to it", file.string());
    if (fs::is_regular_file(file, code) && fs::file_size(file, code) == 0)
      return input_error("{}: is empty, expected a database", file.string());
  }
  return Done{};
}

bool has_site(SQLite::Database& database) {
  return database.execAndGet("SELECT EXISTS (SELECT * FROM users) OR EXISTS (SELECT * FROM boards)")
             .getInt() != 0;
}

// Adds what the attached database `source` holds, in one transaction. Throws what SQLiteCpp throws.
MergedRecords add_attached(SQLite::Database& database) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  rows::mark_interrupted(database);  // what died here may have been taken further there
  const MergedRecords merged = merge_tables(database);
  transaction.commit();
  return merged;
}

// source: a copy that nobody else uses.
Result<MergedRecords> add(SQLite::Database& database, const fs::path& source) {
  return with_database(database, [&](SQLite::Database& target) -> Result<MergedRecords> {
    SQLite::Statement attach(target, "ATTACH ? AS source");
    attach.bind(1, source.string());
    attach.exec();
    const MergedRecords merged = add_attached(target);
    target.exec("DETACH source");
    return merged;
  });
}

}  // namespace

Result<MergedRecords> merge_records(std::span<const fs::path> files, const fs::path& database) {
  MASH_TRY(check_files(files, database));
  MASH_ASSIGN(const ScratchFolder scratch, ScratchFolder::make("merge"));
  const fs::path all = scratch / "all.db";
  bool is_site = false;
  std::size_t num_known = 0;
  std::unique_ptr<SQLite::Database> sum;  // of all files, so that the database is written to once
  for (std::size_t i = 0; i < files.size(); ++i) {
    const fs::path copy = sum ? fs::path(scratch / fmt::format("{}.db", i)) : all;
    MASH_ASSIGN(auto opened, open_copy(files[i], copy));
    is_site = is_site || has_site(*opened);
    if (!sum) {
      sum = std::move(opened);
      continue;
    }
    opened.reset();
    MASH_ASSIGN(const MergedRecords added, add(*sum, copy));
    num_known += added.num_known;
    std::error_code code;
    fs::remove(copy, code);
  }
  sum.reset();
  MASH_ASSIGN(const auto target, open_database(database));
  MASH_ASSIGN(MergedRecords merged, add(*target, all));
  merged.num_known += num_known;
  merged.has_site = is_site;
  return merged;
}

}  // namespace mash
