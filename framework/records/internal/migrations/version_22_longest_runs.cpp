// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

// The shorter ones of runs that differ in their rounds alone are the beginning of the longest: beside it
// they would be counted as if they were further evidence. Runs of earlier versions are told apart by their
// whole configuration as before.
const char* const kLongestRunsSql = R"sql(
ALTER TABLE experiments ADD COLUMN any_rounds_setup TEXT;

CREATE VIEW longest_runs AS
SELECT id AS experiment_id
FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY dataset_id, COALESCE(any_rounds_setup, setup), feature_set, seed
                                    ORDER BY num_rounds DESC, id DESC) AS place
      FROM finished WHERE trial = 0)
WHERE place = 1;

DROP VIEW leaderboard_by_heuristic;
CREATE VIEW leaderboard_by_heuristic AS
WITH contested AS (
  SELECT *, CASE WHEN num_heuristics > 1 THEN alpha_share END AS share
  FROM heuristic_use WHERE experiment_id IN (SELECT experiment_id FROM longest_runs)
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

DROP VIEW leaderboard_by_contributor;
CREATE VIEW leaderboard_by_contributor AS
WITH counted AS (
  SELECT * FROM heuristic_use WHERE experiment_id IN (SELECT experiment_id FROM longest_runs)
), shares AS (
  SELECT experiment_id, author,
         SUM(chosen) AS chosen,
         CASE WHEN MAX(num_heuristics) > COUNT(*) THEN SUM(alpha_share) END AS share,
         SUM(loss_removed) AS loss_removed,
         SUM(evaluated) AS evaluated,
         SUM(num_faults) AS num_faults
  FROM counted GROUP BY experiment_id, author
), centred AS (
  SELECT *, AVG(share) OVER (PARTITION BY author) AS mean_share FROM shares
), totals AS (
  SELECT author,
         (SELECT COUNT(DISTINCT u.heuristic) FROM counted u WHERE u.author = centred.author) AS num_heuristics,
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
)sql";

}  // namespace mash
