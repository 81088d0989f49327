// SPDX-License-Identifier: Apache-2.0
//
// Databases that strangers hand over as targets.
#pragma once

#include <string>

#include "framework/base/file.hpp"
#include "tests/fuzz/dataset_file.hpp"
#include "tests/records/sample.hpp"

namespace mash::fuzz {

// A database of ours with one run of this name. Its pages are small, so that a change hits what it holds and
// no empty room. journal: SQLite's mode, which is a part of the file; "WAL" is that of a database in use.
inline std::string database_of(const std::string& name, const char* journal) {
  const std::filesystem::path path = folder() / "made.db";
  {
    Records records = *Records::open(path);
    MASH_PROMISE(sample::record(records, sample::start(name), sample::dataset(), {sample::family("hog")},
                                {sample::use()}, 1)
                     .ok());
  }
  {
    SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
    database.exec("PRAGMA journal_mode = DELETE");
    database.exec("PRAGMA page_size = 512");
    database.exec("VACUUM");
    database.exec(fmt::format("PRAGMA journal_mode = {}", journal));
  }
  const std::string bytes = *read_file(path);
  std::filesystem::remove(path);
  return bytes;
}

// Whether SQLite finds nothing wrong with it.
inline bool is_whole(const std::filesystem::path& path) {
  SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
  return database.execAndGet("PRAGMA integrity_check(1)").getString() == "ok" &&
         database.execAndGet("SELECT COUNT(*) FROM pragma_foreign_key_check").getInt() == 0;
}

inline std::size_t num_files() {
  return std::size_t(std::distance(std::filesystem::directory_iterator(folder()), {}));
}

}  // namespace mash::fuzz
