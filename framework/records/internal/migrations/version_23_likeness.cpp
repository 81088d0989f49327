// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Tables of a site beside its judgements: a sample of the features of each, by which near copies are known,
// and the evidence of likeness that follows; the gains of all heuristics of a contributor together; and every
// gain that was told of a private part, with the step in which it was told and the best before. Of gains that
// were told before this step the step of a placebo's ladder is not known: a tenth of the measured error is
// the smallest that it can have been.
const char* const kLikenessSql = R"sql(
CREATE TABLE board_copies (
  board TEXT PRIMARY KEY,
  rule  TEXT NOT NULL CHECK (rule IN ('mark', 'refuse'))
) STRICT;

CREATE TABLE judgement_samples (
  submission_id INTEGER PRIMARY KEY REFERENCES submissions(id) ON DELETE CASCADE,
  num_examples  INTEGER NOT NULL,
  codes         BLOB NOT NULL
) STRICT;

CREATE TABLE compared_submissions (
  submission_id INTEGER PRIMARY KEY REFERENCES submissions(id) ON DELETE CASCADE,
  num_others    INTEGER NOT NULL,
  compared_at   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

CREATE TABLE likenesses (
  submission_id     INTEGER NOT NULL REFERENCES submissions(id) ON DELETE CASCADE,
  other_id          INTEGER NOT NULL REFERENCES submissions(id) ON DELETE CASCADE,
  cka               REAL,
  num_tokens        INTEGER NOT NULL,
  num_other_tokens  INTEGER NOT NULL,
  num_equal_tokens  INTEGER NOT NULL,
  num_prints        INTEGER NOT NULL,
  num_other_prints  INTEGER NOT NULL,
  num_shared_prints INTEGER NOT NULL,
  parts             TEXT NOT NULL,
  PRIMARY KEY (submission_id, other_id)
) STRICT;
CREATE INDEX likenesses_by_other ON likenesses(other_id);

CREATE TABLE together_gains (
  id                      INTEGER PRIMARY KEY,
  board_id                INTEGER NOT NULL REFERENCES boards(id),
  user_id                 INTEGER NOT NULL REFERENCES users(id),
  procedure               INTEGER NOT NULL,
  members                 TEXT NOT NULL,
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
  measured_at             TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  UNIQUE (board_id, user_id, procedure, members)
) STRICT;

CREATE TABLE released_answers (
  id            INTEGER PRIMARY KEY,
  board_id      INTEGER NOT NULL REFERENCES boards(id),
  submission_id INTEGER REFERENCES submissions(id) ON DELETE CASCADE,
  user_id       INTEGER REFERENCES users(id),
  step          REAL NOT NULL,
  is_stepped    INTEGER NOT NULL,
  best          REAL,
  released_at   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
CREATE INDEX released_answers_by_board ON released_answers(board_id);

CREATE INDEX judgement_features_by_digest ON judgement_features(digest);

INSERT INTO released_answers (board_id, submission_id, step, is_stepped, best, released_at)
SELECT s.board_id, s.id,
       CASE WHEN b.ladder_step > 0 THEN b.ladder_step
            WHEN b.ladder_step < 0 THEN MAX(j.standard_error / 10, 1e-6)
            WHEN j.standard_error >= 10 THEN 1.0 WHEN j.standard_error >= 1 THEN 0.1
            WHEN j.standard_error >= 0.1 THEN 0.01 WHEN j.standard_error >= 0.01 THEN 0.001 ELSE 0.0001 END,
       b.ladder_step <> 0,
       (SELECT MAX(oj.released_gain) FROM submissions o JOIN judgements oj ON oj.submission_id = o.id
        WHERE o.board_id = s.board_id AND o.heuristic = s.heuristic AND o.id < s.id),
       j.judged_at
FROM judgements j JOIN submissions s ON s.id = j.submission_id JOIN boards b ON b.id = s.board_id
LEFT JOIN submissions r ON r.id = s.rerun_of
WHERE r.board_id IS NOT s.board_id
ORDER BY s.id;
)sql";

}  // namespace mash
