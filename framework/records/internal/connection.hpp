// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "framework/base/require.hpp"
#include "framework/records/internal/database.hpp"
#include "framework/records/records.hpp"

namespace mash {

// The connection behind a RecordsReader, for the sources of this folder only. A writer's connection stays
// open. A reader opens the file again for each look: it holds nothing between two looks and sees the rows
// that other programs commit.
class Connection {
 public:
  explicit Connection(std::filesystem::path path, std::unique_ptr<SQLite::Database> writable = nullptr)
      : path_(std::move(path)), writable_(std::move(writable)) {}

  static const Connection& of(const RecordsReader& records) { return *records.connection_; }

  const std::filesystem::path& path() const { return path_; }
  // REQUIRES: opened to write.
  SQLite::Database& writable() const {
    require(writable_ != nullptr, "Connection::writable: opened to write");
    return *writable_;
  }

  // Returns the Result of body(SQLite::Database&). The body sees the database at one moment and writes
  // nothing. It may throw what SQLiteCpp throws, and may be called again from the start (see read_database).
  template <class Body>
  auto read(const Body& body) const -> decltype(body(std::declval<SQLite::Database&>())) {
    if (writable_) {
      return with_database(*writable_, [&](SQLite::Database& database) {
        const SQLite::Transaction moment(database);
        return body(database);
      });
    }
    std::optional<decltype(body(*writable_))> outcome;
    MASH_TRY(read_database(path_, [&](SQLite::Database& database) -> Status {
      outcome = body(database);
      return outcome->ok() ? Status(Done{}) : Status(outcome->error());
    }));
    return *std::move(outcome);
  }

 private:
  std::filesystem::path path_;
  std::unique_ptr<SQLite::Database> writable_;
};

// Shorter for Connection::of(records).read(body).
template <class Body>
auto read_records(const RecordsReader& records, const Body& body) {
  return Connection::of(records).read(body);
}

// Runs body(SQLite::Database&), which returns a Result, in one transaction. What it writes is kept only where
// it succeeds.
template <class Body>
auto write_records(Records& records, const Body& body) {
  return with_database(Connection::of(records).writable(), [&](SQLite::Database& database) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    auto outcome = body(database);
    if (outcome.ok()) transaction.commit();
    return outcome;
  });
}

}  // namespace mash
