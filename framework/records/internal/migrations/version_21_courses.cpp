// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Boards have words and times that hold for all of their versions, by name: a changed one makes no new
// version. Times are UTC; NULL: there is none. A closed account keeps its row, under another name. Names that
// users had before, as hashes, stay theirs. An invitation may say for whom it is, which operators alone are
// shown.
const char* const kCoursesSql = R"sql(
CREATE TABLE board_terms (
  board          TEXT PRIMARY KEY,
  opens_at       TEXT,
  closes_at      TEXT,
  attempts_a_day INTEGER,
  points         TEXT,
  title          TEXT,
  contact        TEXT,
  notice         TEXT
) STRICT;

CREATE TABLE former_names (
  hash    TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users(id)
) STRICT;

ALTER TABLE users ADD COLUMN closed_at TEXT;

ALTER TABLE invitations ADD COLUMN name TEXT;
)sql";

}  // namespace mash
