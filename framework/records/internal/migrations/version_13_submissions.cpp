// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Tables that a server needs beside the runs: who may do what, what they handed in, how far that is, and what
// came of it. Secrets are kept as hashes only. A lease names the process that holds it, and ends by the clock
// that counts from boot, which nobody sets. A board of another experiment is a new version, and what was
// judged by the former one stays there. revision: raised when what a board shows changes. Large texts are the
// last columns of their tables: a query of the others does not read through them.
const char* const kSubmissionsSql = R"sql(
CREATE TABLE users (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  name          TEXT NOT NULL UNIQUE COLLATE NOCASE,
  role          TEXT NOT NULL CHECK (role IN ('contributor', 'operator')),
  password_hash TEXT,
  quota_seconds REAL,
  is_disabled   INTEGER NOT NULL DEFAULT 0,
  last_taken    INTEGER NOT NULL DEFAULT 0,
  created_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
CREATE INDEX users_by_last_taken ON users(last_taken);

CREATE TABLE invitations (
  hash       TEXT PRIMARY KEY,
  invited_by INTEGER NOT NULL REFERENCES users(id),
  used_by    INTEGER REFERENCES users(id),
  expires_at TEXT NOT NULL
) STRICT;

CREATE TABLE tokens (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id    INTEGER NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('api', 'session')),
  scope      TEXT NOT NULL CHECK (scope IN ('read', 'submit', 'operate')),
  hash       TEXT NOT NULL UNIQUE,
  label      TEXT NOT NULL,
  created_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  expires_at TEXT NOT NULL,
  is_revoked INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX tokens_by_user ON tokens(user_id);

CREATE TABLE boards (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  name        TEXT NOT NULL,
  version     INTEGER NOT NULL,
  experiment  TEXT NOT NULL,
  num_seeds   INTEGER NOT NULL,
  ladder_step REAL NOT NULL,
  revision    INTEGER NOT NULL DEFAULT 0,
  created_at  TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  UNIQUE (name, version)
) STRICT;

CREATE TABLE board_pages (
  board_id INTEGER NOT NULL REFERENCES boards(id) ON DELETE CASCADE,
  name     TEXT NOT NULL,
  content  TEXT NOT NULL,
  made_at  TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  PRIMARY KEY (board_id, name)
) STRICT;

CREATE TABLE submissions (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id        INTEGER NOT NULL REFERENCES users(id),
  board_id       INTEGER NOT NULL REFERENCES boards(id),
  request_key    TEXT,
  file_name      TEXT NOT NULL,
  source_sha256  TEXT NOT NULL,
  licence        TEXT NOT NULL,
  is_private     INTEGER NOT NULL DEFAULT 0,
  heuristic      TEXT,
  version        TEXT,
  summary        TEXT,
  rerun_of       INTEGER REFERENCES submissions(id),
  original_id    INTEGER REFERENCES submissions(id),
  verified_at    TEXT,
  is_held        INTEGER NOT NULL DEFAULT 0,
  removed_why    TEXT,
  state          TEXT NOT NULL DEFAULT 'received',
  reason         TEXT,
  fault          TEXT CHECK (fault IN ('contributor', 'server')),
  num_attempts   INTEGER NOT NULL DEFAULT 0,
  lease_pid      INTEGER,
  lease_start    INTEGER,
  lease_boot_id  TEXT,
  lease_since_ms INTEGER,
  lease_until_ms INTEGER,
  seconds        REAL NOT NULL DEFAULT 0,
  received_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  source         TEXT NOT NULL,
  UNIQUE (user_id, request_key)
) STRICT;
CREATE INDEX submissions_by_user ON submissions(user_id);
CREATE INDEX submissions_by_heuristic ON submissions(heuristic);
CREATE INDEX submissions_on_board ON submissions(board_id, heuristic) WHERE state IN ('published', 'superseded');
CREATE INDEX submissions_by_rerun ON submissions(rerun_of) WHERE rerun_of IS NOT NULL;
CREATE INDEX submissions_in_work ON submissions(id)
  WHERE state NOT IN ('published', 'rejected', 'failed', 'cancelled', 'superseded');

CREATE TABLE submission_events (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  submission_id INTEGER NOT NULL REFERENCES submissions(id) ON DELETE CASCADE,
  state         TEXT NOT NULL,
  text          TEXT NOT NULL,
  at            TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
CREATE INDEX submission_events_by_submission ON submission_events(submission_id);

CREATE TABLE submission_findings (
  submission_id INTEGER NOT NULL REFERENCES submissions(id) ON DELETE CASCADE,
  line          INTEGER NOT NULL,
  column        INTEGER NOT NULL,
  kind          TEXT NOT NULL CHECK (kind IN ('error', 'warning', 'note', 'check')),
  text          TEXT NOT NULL
) STRICT;
CREATE INDEX submission_findings_by_submission ON submission_findings(submission_id);

CREATE TABLE judgements (
  submission_id           INTEGER PRIMARY KEY REFERENCES submissions(id) ON DELETE CASCADE,
  gain                    REAL NOT NULL,
  standard_error          REAL NOT NULL,
  low                     REAL NOT NULL,
  high                    REAL NOT NULL,
  num_seeds               INTEGER NOT NULL,
  finding                 TEXT NOT NULL,
  released_gain           REAL NOT NULL,
  released_standard_error REAL NOT NULL,
  released_low            REAL NOT NULL,
  released_high           REAL NOT NULL,
  released_num_seeds      INTEGER NOT NULL,
  released_finding        TEXT NOT NULL,
  microseconds            REAL NOT NULL,
  num_features            INTEGER NOT NULL,
  judged_at               TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  report_html             TEXT NOT NULL,
  report_json             TEXT NOT NULL
) STRICT;

CREATE TABLE runners (
  pid           INTEGER NOT NULL,
  start         INTEGER NOT NULL,
  boot_id       TEXT NOT NULL,
  submission_id INTEGER,
  started_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  seen_ms       INTEGER NOT NULL,
  PRIMARY KEY (pid, start, boot_id)
) STRICT;

CREATE VIEW judged_submissions AS
SELECT s.board_id, s.id AS submission_id, s.heuristic, s.version, s.summary, u.name AS contributor, s.licence,
       s.verified_at, j.released_gain AS gain, j.released_standard_error AS standard_error,
       j.released_low AS low, j.released_high AS high, j.released_num_seeds AS num_seeds,
       j.released_finding AS finding, j.microseconds, j.num_features, j.judged_at
FROM submissions s JOIN judgements j ON j.submission_id = s.id JOIN users u ON u.id = s.user_id
WHERE s.removed_why IS NULL AND s.state IN ('published', 'superseded');

CREATE VIEW board_entries AS
SELECT s.* FROM judged_submissions s
WHERE s.submission_id = (
  SELECT o.id FROM submissions o LEFT JOIN submissions r ON r.id = o.rerun_of
  WHERE o.board_id = s.board_id AND o.heuristic = s.heuristic AND o.state IN ('published', 'superseded')
    AND o.removed_why IS NULL AND r.board_id IS NOT o.board_id
  ORDER BY COALESCE(o.original_id, o.id) DESC, o.id DESC LIMIT 1);
)sql";

}  // namespace mash
