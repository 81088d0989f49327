// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Every setting of a run as it holds. The settings of a data set, by which leaderboards part their contests,
// are from now on told as they hold too: two spellings of one meaning are one contest. Runs of earlier
// versions have no such rows, and are told by their configuration as before.
const char* const kRunSettingsSql = R"sql(
CREATE TABLE settings (
  experiment_id INTEGER NOT NULL REFERENCES experiments(id) ON DELETE CASCADE,
  key           TEXT NOT NULL,
  is_default    INTEGER NOT NULL,
  value         TEXT NOT NULL,
  PRIMARY KEY (experiment_id, key)
) STRICT, WITHOUT ROWID;

CREATE VIEW run_settings AS
SELECT s.experiment_id, s.key, s.value
FROM settings s JOIN experiments e ON e.id = s.experiment_id WHERE e.trial = 0;

CREATE VIEW trial_settings AS
SELECT s.experiment_id, s.key, s.value
FROM settings s JOIN experiments e ON e.id = s.experiment_id WHERE e.trial = 1;

DROP VIEW run_groups;
CREATE VIEW run_groups AS
WITH lines AS (
  SELECT *, CASE WHEN configuration LIKE 'dataset: {%}' || char(10) || '%'
                 THEN substr(configuration, 11, instr(configuration, char(10)) - 12) ELSE '' END AS dataset_line
  FROM finished WHERE trial = 0
), held AS (
  SELECT l.*, CASE WHEN EXISTS (SELECT * FROM settings s WHERE s.experiment_id = l.id)
    THEN COALESCE((SELECT group_concat(substr(s.key, 9) || ': ' || s.value, ', ')
                   FROM (SELECT * FROM settings WHERE experiment_id = l.id AND is_default = 0
                         AND key LIKE 'dataset.%' AND key <> 'dataset.name' ORDER BY key) s), '')
    WHEN instr(l.dataset_line, ', ') THEN replace(substr(l.dataset_line, instr(l.dataset_line, ', ') + 2), '"', '')
    ELSE '' END AS dataset_settings
  FROM lines l
)
SELECT e.id AS experiment_id, e.name AS experiment, d.name AS dataset, e.dataset_settings,
       d.num_train, d.num_test,
       e.setup, e.feature_set, f.num_features, e.rounds, e.learner, e.kind, e.booster, e.weak, e.sampler, e.seed,
       e.test_error, e.train_error, e.train_loss_log10, e.fe, e.train_seconds,
       1.0 * e.fe / (NULLIF(e.num_rounds, 0) * NULLIF(d.num_train, 0)) AS features_per_round,
       AVG(e.test_error) OVER (PARTITION BY e.name, e.setup, e.feature_set) AS experiment_mean,
       AVG(e.test_error) OVER (PARTITION BY d.name, d.num_train, d.num_test, e.setup, e.feature_set) AS strategy_mean
FROM held e
JOIN datasets d ON d.id = e.dataset_id
JOIN (SELECT experiment_id, SUM(dim) AS num_features FROM families GROUP BY experiment_id) f ON f.experiment_id = e.id;
)sql";

}  // namespace mash
