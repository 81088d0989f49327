// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Results of offer tests, so that versions of a heuristic and the heuristics of a pool can be compared. A
// test that is taken further keeps its row and its id; `updated` tells what was written last.
const char* const kOfferTestsSql = R"sql(
CREATE TABLE offer_tests (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  heuristic           TEXT NOT NULL,
  version             TEXT NOT NULL,
  settings            TEXT NOT NULL,
  plugin_sha256       TEXT NOT NULL,
  dataset_fingerprint TEXT NOT NULL,
  dataset             TEXT NOT NULL,
  side                TEXT NOT NULL,
  pool_key            TEXT NOT NULL,
  together_key        TEXT NOT NULL,
  pool                TEXT NOT NULL,
  experiment          TEXT NOT NULL,
  base                TEXT NOT NULL,
  trained_by          TEXT NOT NULL,
  first_seed          INTEGER NOT NULL,
  num_seeds           INTEGER NOT NULL,
  gain                REAL NOT NULL,
  standard_error      REAL NOT NULL,
  low                 REAL NOT NULL,
  high                REAL NOT NULL,
  relevant            REAL NOT NULL,
  placebo_gain        REAL NOT NULL,
  num_wins            INTEGER NOT NULL,
  num_duels           INTEGER NOT NULL,
  win_index           REAL NOT NULL,
  speed_up            REAL NOT NULL,
  finding             TEXT NOT NULL,
  alpha_share         REAL,
  seconds             REAL NOT NULL,
  measured_at         TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
  updated             INTEGER NOT NULL,
  UNIQUE (heuristic, version, settings, plugin_sha256, dataset_fingerprint, side, pool_key, base, trained_by, first_seed)
) STRICT;
CREATE INDEX offer_tests_by_pool ON offer_tests(dataset_fingerprint, side, together_key);

CREATE VIEW latest_offers AS
SELECT * FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY heuristic, dataset_fingerprint, side, together_key ORDER BY updated DESC)
              AS place
  FROM offer_tests
) WHERE place = 1;
)sql";

}  // namespace mash
