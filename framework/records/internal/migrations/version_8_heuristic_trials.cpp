// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Results of heuristics beside a pool, so that their history can be shown.
const char* const kHeuristicTrialsSql = R"sql(
CREATE TABLE heuristic_trials (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  trial_key      TEXT NOT NULL UNIQUE,
  experiment_id  INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  heuristic      TEXT NOT NULL,
  version        TEXT NOT NULL,
  plugin_sha256  TEXT NOT NULL,
  settings       TEXT NOT NULL,
  rounds         INTEGER NOT NULL,
  num_seeds      INTEGER NOT NULL,
  pool_size      INTEGER NOT NULL,
  alone_error    REAL NOT NULL,
  alone_ci95     REAL,
  gain           REAL NOT NULL,
  gain_ci95      REAL,
  margin_share   REAL NOT NULL,
  importance     REAL NOT NULL,
  importance_se  REAL NOT NULL,
  shapley        REAL,
  shapley_se     REAL,
  measured_at    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;
CREATE INDEX heuristic_trials_by_heuristic ON heuristic_trials(heuristic);

CREATE VIEW latest_trials AS
SELECT t.*, d.name || ', ' || t.rounds || ' rounds, ' || t.num_seeds || ' seeds' AS trial, MAX(t.id) AS latest_id
FROM heuristic_trials t JOIN experiments e ON e.id = t.experiment_id JOIN datasets d ON d.id = e.dataset_id
GROUP BY t.heuristic, t.version;

CREATE TABLE robustness (
  trial_id      INTEGER NOT NULL REFERENCES heuristic_trials(id) ON DELETE CASCADE,
  kind          TEXT NOT NULL,
  amount        REAL NOT NULL,
  error_without REAL NOT NULL,
  error_with    REAL NOT NULL,
  PRIMARY KEY (trial_id, kind, amount)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace mash
