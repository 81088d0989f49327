// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Trials are counted apart from runs, below zero: trial 3 is row -3. Runs keep their numbers; the next one
// follows the last run, however many trials there were.
const char* const kTrialNumbersSql = R"sql(
PRAGMA defer_foreign_keys = ON;
CREATE TEMP TABLE old_trials AS SELECT id FROM main.experiments WHERE trial = 1 AND id > 0;
UPDATE families SET experiment_id = -experiment_id WHERE experiment_id IN (SELECT id FROM old_trials);
UPDATE faults SET experiment_id = -experiment_id WHERE experiment_id IN (SELECT id FROM old_trials);
UPDATE rounds SET experiment_id = -experiment_id WHERE experiment_id IN (SELECT id FROM old_trials);
UPDATE cuts SET experiment_id = -experiment_id WHERE experiment_id IN (SELECT id FROM old_trials);
UPDATE curve SET experiment_id = -experiment_id WHERE experiment_id IN (SELECT id FROM old_trials);
UPDATE test_errors SET experiment_id = -experiment_id WHERE experiment_id IN (SELECT id FROM old_trials);
UPDATE phases SET experiment_id = -experiment_id WHERE experiment_id IN (SELECT id FROM old_trials);
UPDATE incidents SET experiment_id = -experiment_id WHERE experiment_id IN (SELECT id FROM old_trials);
UPDATE predictions SET experiment_id = -experiment_id WHERE experiment_id IN (SELECT id FROM old_trials);
UPDATE heuristic_trials SET experiment_id = -experiment_id WHERE experiment_id IN (SELECT id FROM old_trials);
UPDATE experiments SET id = -id WHERE id IN (SELECT id FROM old_trials);
UPDATE sqlite_sequence SET seq = (SELECT MAX(0, COALESCE(MAX(id), 0)) FROM experiments) WHERE name = 'experiments';
DROP TABLE old_trials;

DROP VIEW finished;
CREATE VIEW finished AS
SELECT * FROM experiments
WHERE id IN (SELECT MAX(id) FROM experiments
             WHERE trial = 0 AND status NOT IN ('running', 'interrupted', 'stopped') GROUP BY run_key
             UNION ALL
             SELECT MIN(id) FROM experiments
             WHERE trial = 1 AND status NOT IN ('running', 'interrupted', 'stopped') GROUP BY run_key);
)sql";

}  // namespace mash
