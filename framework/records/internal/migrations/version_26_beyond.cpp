// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Gains of entries beside the base of their board and all others: a row for each set of others beside which
// an entry was measured.
const char* const kBeyondSql = R"sql(
CREATE TABLE beyond_gains (
  id                      INTEGER PRIMARY KEY,
  submission_id           INTEGER NOT NULL REFERENCES submissions(id) ON DELETE CASCADE,
  procedure               INTEGER NOT NULL,
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
  left_out                TEXT NOT NULL,
  others                  TEXT NOT NULL,
  UNIQUE (submission_id, procedure, others)
) STRICT;
)sql";

}  // namespace mash
