// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Learners that are no boosters have no weak learner, sampler and rounds. A column that must have a value
// cannot be told otherwise: it makes place for another one. Until now all learners were boosters, and all
// models sums.
const char* const kLearnersSql = R"sql(
DROP VIEW leaderboard_by_experiment;
DROP VIEW leaderboard_by_strategy;
DROP VIEW run_groups;

ALTER TABLE experiments ADD COLUMN learner TEXT NOT NULL DEFAULT '';
ALTER TABLE experiments ADD COLUMN kind TEXT;
UPDATE experiments SET learner = booster, kind = CASE WHEN ended_at IS NULL THEN NULL ELSE 'sum' END;

ALTER TABLE experiments RENAME COLUMN booster TO old_booster;
ALTER TABLE experiments ADD COLUMN booster TEXT;
UPDATE experiments SET booster = old_booster;
ALTER TABLE experiments DROP COLUMN old_booster;
ALTER TABLE experiments RENAME COLUMN weak TO old_weak;
ALTER TABLE experiments ADD COLUMN weak TEXT;
UPDATE experiments SET weak = old_weak;
ALTER TABLE experiments DROP COLUMN old_weak;
ALTER TABLE experiments RENAME COLUMN sampler TO old_sampler;
ALTER TABLE experiments ADD COLUMN sampler TEXT;
UPDATE experiments SET sampler = old_sampler;
ALTER TABLE experiments DROP COLUMN old_sampler;
ALTER TABLE experiments RENAME COLUMN rounds TO old_rounds;
ALTER TABLE experiments ADD COLUMN rounds INTEGER;
UPDATE experiments SET rounds = old_rounds;
ALTER TABLE experiments DROP COLUMN old_rounds;

CREATE VIEW run_groups AS
WITH lines AS (
  SELECT *, CASE WHEN configuration LIKE 'dataset: {%}' || char(10) || '%'
                 THEN substr(configuration, 11, instr(configuration, char(10)) - 12) ELSE '' END AS dataset_line
  FROM finished WHERE trial = 0
)
SELECT e.id AS experiment_id, e.name AS experiment, d.name AS dataset,
       CASE WHEN instr(e.dataset_line, ', ')
            THEN replace(substr(e.dataset_line, instr(e.dataset_line, ', ') + 2), '"', '') ELSE '' END
         AS dataset_settings,
       d.num_train, d.num_test,
       e.setup, e.feature_set, f.num_features, e.rounds, e.learner, e.kind, e.booster, e.weak, e.sampler, e.seed,
       e.test_error, e.train_error, e.train_loss_log10, e.fe, e.train_seconds,
       1.0 * e.fe / (NULLIF(e.num_rounds, 0) * NULLIF(d.num_train, 0)) AS features_per_round,
       AVG(e.test_error) OVER (PARTITION BY e.name, e.setup, e.feature_set) AS experiment_mean,
       AVG(e.test_error) OVER (PARTITION BY d.name, d.num_train, d.num_test, e.setup, e.feature_set) AS strategy_mean
FROM lines e
JOIN datasets d ON d.id = e.dataset_id
JOIN (SELECT experiment_id, SUM(dim) AS num_features FROM families GROUP BY experiment_id) f ON f.experiment_id = e.id;

CREATE VIEW leaderboard_by_experiment AS
WITH totals AS (
  SELECT experiment, dataset, dataset_settings, num_train, num_test, num_features, learner, kind, booster, weak, sampler, rounds,
         COUNT(*) AS runs,
         ROUND(AVG(test_error), 12) AS test_error,
         SQRT(SUM((test_error - experiment_mean) * (test_error - experiment_mean)) / NULLIF(COUNT(test_error) - 1, 0))
           AS test_error_sd,
         AVG(train_error) AS train_error,
         AVG(train_loss_log10) AS train_loss_log10,
         AVG(fe) AS fe,
         AVG(train_seconds) AS train_seconds,
         MAX(experiment_id) AS latest_experiment_id
  FROM run_groups GROUP BY experiment, setup, feature_set
)
SELECT RANK() OVER (PARTITION BY dataset, dataset_settings, num_train, num_test
                    ORDER BY test_error ASC NULLS LAST) AS rank, *
FROM totals ORDER BY dataset, dataset_settings, num_train, num_test, rank, experiment, latest_experiment_id;

CREATE VIEW leaderboard_by_strategy AS
WITH totals AS (
  SELECT dataset, dataset_settings, num_train, num_test, num_features, feature_set, rounds, learner, kind, sampler, booster, weak,
         COUNT(*) AS runs,
         ROUND(AVG(test_error), 12) AS test_error,
         SQRT(SUM((test_error - strategy_mean) * (test_error - strategy_mean)) / NULLIF(COUNT(test_error) - 1, 0))
           AS test_error_sd,
         AVG(train_loss_log10) AS train_loss_log10,
         AVG(features_per_round) AS features_per_round,
         AVG(train_seconds) AS train_seconds,
         MAX(experiment_id) AS latest_experiment_id
  FROM run_groups GROUP BY dataset, num_train, num_test, setup, feature_set
)
SELECT RANK() OVER (PARTITION BY dataset, dataset_settings, num_train, num_test, feature_set, rounds
                    ORDER BY test_error ASC NULLS LAST) AS rank, *
FROM totals ORDER BY dataset, dataset_settings, num_train, num_test, rounds, num_features, feature_set, rank, sampler, learner,
                     latest_experiment_id;
)sql";

}  // namespace mash
