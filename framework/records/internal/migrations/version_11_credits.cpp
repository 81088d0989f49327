// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Credits of the heuristics of a pool, as of the last time that they were measured.
const char* const kCreditsSql = R"sql(
CREATE TABLE credits (
  dataset_fingerprint TEXT NOT NULL,
  together_key        TEXT NOT NULL,
  heuristic           TEXT NOT NULL,
  version             TEXT NOT NULL,
  rounds              INTEGER NOT NULL,
  credit              REAL NOT NULL,
  standard_error      REAL,
  measured_at         TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  PRIMARY KEY (dataset_fingerprint, together_key, heuristic, version)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace mash
