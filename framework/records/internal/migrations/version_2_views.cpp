// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Means of runs are rounded before they are ranked, so that equal results in another order of addition share
// a rank. Deviations are taken from the mean (two passes): sums of squares would lose the digits that matter.
const char* const kViewsSql = R"sql(
CREATE VIEW finished AS
SELECT * FROM experiments
WHERE id IN (SELECT MAX(id) FROM experiments
             WHERE status NOT IN ('running', 'interrupted', 'stopped') GROUP BY run_key);

CREATE VIEW heuristic_use AS
SELECT f.experiment_id, h.name AS heuristic, h.version, h.author,
       SUM(f.dim) AS dim,
       SUM(f.offered) AS offered,
       SUM(f.evaluated) AS evaluated,
       SUM(f.chosen) AS chosen,
       SUM(f.alpha_sum) AS alpha_sum,
       SUM(f.alpha_sum) / NULLIF(SUM(SUM(f.alpha_sum)) OVER (PARTITION BY f.experiment_id), 0) AS alpha_share,
       SUM(f.loss_removed) AS loss_removed,
       SUM(f.microseconds_per_image) AS microseconds_per_image,
       SUM(f.num_faults) AS num_faults,
       COUNT(*) OVER (PARTITION BY f.experiment_id) AS num_heuristics
FROM families f JOIN heuristics h ON h.id = f.heuristic_id
WHERE f.experiment_id IN (SELECT id FROM finished)
GROUP BY f.experiment_id, h.name, h.version, h.author;

CREATE VIEW leaderboard_by_heuristic AS
WITH contested AS (
  SELECT *, CASE WHEN num_heuristics > 1 THEN alpha_share END AS share FROM heuristic_use
), centred AS (
  SELECT *, AVG(share) OVER (PARTITION BY heuristic, version, author) AS mean_share FROM contested
), totals AS (
  SELECT heuristic, version, author,
         COUNT(*) AS num_experiments,
         SUM(chosen) AS chosen,
         ROUND(AVG(share), 12) AS alpha_share,
         SQRT(SUM((share - mean_share) * (share - mean_share)) / NULLIF(COUNT(share) - 1, 0)) AS alpha_share_sd,
         COUNT(share) AS num_contested,
         SUM(loss_removed) AS loss_removed,
         1000.0 * SUM(loss_removed) / NULLIF(SUM(offered), 0) AS loss_removed_per_1000_offers,
         SUM(offered) AS offered,
         SUM(evaluated) AS evaluated,
         AVG(microseconds_per_image) * 1e-6 AS seconds_per_image,
         SUM(num_faults) AS num_faults
  FROM centred GROUP BY heuristic, version, author
)
SELECT RANK() OVER (ORDER BY alpha_share DESC NULLS LAST) AS rank, * FROM totals
ORDER BY rank, heuristic, version;

CREATE VIEW leaderboard_by_contributor AS
WITH shares AS (
  SELECT experiment_id, author,
         SUM(chosen) AS chosen,
         CASE WHEN MAX(num_heuristics) > COUNT(*) THEN SUM(alpha_share) END AS share,
         SUM(loss_removed) AS loss_removed,
         SUM(evaluated) AS evaluated,
         SUM(num_faults) AS num_faults
  FROM heuristic_use GROUP BY experiment_id, author
), centred AS (
  SELECT *, AVG(share) OVER (PARTITION BY author) AS mean_share FROM shares
), totals AS (
  SELECT author,
         (SELECT COUNT(DISTINCT u.heuristic) FROM heuristic_use u WHERE u.author = centred.author) AS num_heuristics,
         COUNT(*) AS num_experiments,
         SUM(chosen) AS chosen,
         ROUND(AVG(share), 12) AS alpha_share,
         SQRT(SUM((share - mean_share) * (share - mean_share)) / NULLIF(COUNT(share) - 1, 0)) AS alpha_share_sd,
         COUNT(share) AS num_contested,
         SUM(loss_removed) AS loss_removed,
         SUM(evaluated) AS evaluated,
         SUM(num_faults) AS num_faults
  FROM centred GROUP BY author
)
SELECT RANK() OVER (ORDER BY alpha_share DESC NULLS LAST, loss_removed DESC) AS rank, * FROM totals
ORDER BY rank, author;

CREATE VIEW run_groups AS
SELECT e.id AS experiment_id, e.name AS experiment, d.name AS dataset, d.num_train, d.num_test,
       e.setup, e.feature_set, f.num_features, e.rounds, e.booster, e.weak, e.sampler, e.seed,
       e.test_error, e.train_error, e.train_loss_log10, e.fe, e.train_seconds,
       1.0 * e.fe / (NULLIF(e.num_rounds, 0) * NULLIF(d.num_train, 0)) AS features_per_round,
       AVG(e.test_error) OVER (PARTITION BY e.name, e.setup, e.feature_set) AS experiment_mean,
       AVG(e.test_error) OVER (PARTITION BY d.name, d.num_train, d.num_test, e.setup, e.feature_set) AS strategy_mean
FROM finished e
JOIN datasets d ON d.id = e.dataset_id
JOIN (SELECT experiment_id, SUM(dim) AS num_features FROM families GROUP BY experiment_id) f ON f.experiment_id = e.id;

CREATE VIEW leaderboard_by_experiment AS
WITH totals AS (
  SELECT experiment, dataset, num_train, num_test, num_features, booster, weak, sampler, rounds,
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
SELECT RANK() OVER (PARTITION BY dataset, num_train, num_test ORDER BY test_error ASC NULLS LAST) AS rank, *
FROM totals ORDER BY dataset, num_train, num_test, rank, experiment, latest_experiment_id;

CREATE VIEW leaderboard_by_strategy AS
WITH totals AS (
  SELECT dataset, num_train, num_test, num_features, feature_set, rounds, sampler, booster, weak,
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
SELECT RANK() OVER (PARTITION BY dataset, num_train, num_test, feature_set, rounds
                    ORDER BY test_error ASC NULLS LAST) AS rank, *
FROM totals ORDER BY dataset, num_train, num_test, rounds, num_features, feature_set, rank, sampler, latest_experiment_id;
)sql";

}  // namespace mash
