// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Boards have words and times that hold for all of their versions, by name: a changed one makes no new
// version. Times are UTC; NULL: there is none. A closed account keeps its row, under another name. Names that
// users had before, as hashes, stay theirs. An invitation may say for whom it is, which operators alone are
// shown. What stands on a board is its published version of a heuristic, else the highest one, no matter
// which was handed in last.
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

DROP VIEW board_entries;
CREATE VIEW board_entries AS
SELECT s.* FROM judged_submissions s
WHERE s.submission_id = (
  SELECT o.id FROM submissions o LEFT JOIN submissions r ON r.id = o.rerun_of
  WHERE o.board_id = s.board_id AND o.heuristic = s.heuristic AND o.state IN ('published', 'superseded')
    AND o.removed_why IS NULL AND r.board_id IS NOT o.board_id
  ORDER BY o.state = 'published' DESC,
    CAST(o.version AS INTEGER) DESC,
    CAST(substr(o.version, instr(o.version || '.', '.') + 1) AS INTEGER) DESC,
    CAST(ltrim(ltrim(substr(o.version, instr(o.version || '.', '.') + 1), '0123456789'), '.') AS INTEGER) DESC,
    COALESCE(o.original_id, o.id) DESC, o.id DESC LIMIT 1);
)sql";

}  // namespace mash
