// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// Trainings on some of an experiment's families tell what a family contributes; as results of their own they
// would fill the leaderboards.
const char* const kTrialsSql = R"sql(
ALTER TABLE experiments ADD COLUMN trial INTEGER NOT NULL DEFAULT 0;

DROP VIEW heuristic_use;
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
WHERE f.experiment_id IN (SELECT id FROM finished WHERE trial = 0)
GROUP BY f.experiment_id, h.name, h.version, h.author;

DROP VIEW run_groups;
CREATE VIEW run_groups AS
SELECT e.id AS experiment_id, e.name AS experiment, d.name AS dataset, d.num_train, d.num_test,
       e.setup, e.feature_set, f.num_features, e.rounds, e.booster, e.weak, e.sampler, e.seed,
       e.test_error, e.train_error, e.train_loss_log10, e.fe, e.train_seconds,
       1.0 * e.fe / (NULLIF(e.num_rounds, 0) * NULLIF(d.num_train, 0)) AS features_per_round,
       AVG(e.test_error) OVER (PARTITION BY e.name, e.setup, e.feature_set) AS experiment_mean,
       AVG(e.test_error) OVER (PARTITION BY d.name, d.num_train, d.num_test, e.setup, e.feature_set) AS strategy_mean
FROM finished e
JOIN datasets d ON d.id = e.dataset_id
JOIN (SELECT experiment_id, SUM(dim) AS num_features FROM families GROUP BY experiment_id) f ON f.experiment_id = e.id
WHERE e.trial = 0;
)sql";

}  // namespace mash
