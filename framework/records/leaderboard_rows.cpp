// SPDX-License-Identifier: Apache-2.0
#include "framework/records/leaderboard_rows.hpp"

#include <array>

#include "framework/base/settings.hpp"
#include "framework/records/internal/blobs.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/offer_rows.hpp"

namespace mash {
namespace {

// In the order of LeaderboardBy.
constexpr std::array<std::string_view, 4> kWords = {"heuristic", "contributor", "experiment", "strategy"};

struct RankedView {
  // Gives the columns, and of each row the `contest` that it is in and who is the `competitor`.
  const char* rows;
  // competitor, occasion, score.
  const char* scores;
};

// In the order of LeaderboardBy.
constexpr RankedView kRankedViews[] = {
    // Those that were offered beside the same pool, on the same data and side, are a contest; then all
    // others. A build that the test side judged is there only, not also where the held-out part did.
    {R"sql(
       WITH offers AS (
         SELECT heuristic, version, settings, plugin_sha256, dataset, side, experiment AS pool, gain / 100 AS gain,
                (high - low) / 200 AS gain_ci95, standard_error / 100 AS gain_se, num_seeds, finding,
                dataset_fingerprint, together_key, procedure, id AS offer_id, nearest, nearest_cka,
                pool AS families_beside,
                dataset_fingerprint || char(10) || side || char(10) || together_key || char(10) || procedure AS contest
         FROM (SELECT *, MAX(side = 'test') OVER (PARTITION BY heuristic, version, settings, plugin_sha256,
                                                  dataset_fingerprint, together_key) AS is_judged_by_test
               FROM latest_offers)
         WHERE side = 'test' OR NOT is_judged_by_test
       ), names AS (
         SELECT heuristic, version FROM offers UNION SELECT heuristic, version FROM leaderboard_by_heuristic
       )
       SELECT n.heuristic, n.version, v.author, o.settings, o.plugin_sha256, o.dataset, o.side, o.pool, o.gain,
              o.gain_ci95, o.gain_se,
              o.num_seeds, o.finding, o.procedure, o.offer_id, o.families_beside,
              o.nearest, o.nearest_cka, c.credit, c.standard_error AS credit_se, p.of_pairs, p.of_seeds,
              p.of_pictures, c.rounds AS credit_rounds,
              (SELECT CASE WHEN COUNT(DISTINCT COALESCE(any_rounds_setup, setup)) = 1 THEN MAX(id) END
               FROM finished WHERE trial = 0 AND name = o.pool) AS pool_run,
              CASE WHEN c.standard_error <= ABS(c.credit) / 2 THEN c.credit END AS shapley,
              v.num_experiments, v.chosen, v.alpha_share, v.alpha_share_sd, v.num_contested, v.loss_removed,
              v.loss_removed_per_1000_offers, v.evaluated, v.seconds_per_image, v.num_faults,
              RANK() OVER (PARTITION BY o.contest ORDER BY v.alpha_share DESC NULLS LAST) AS rank,
              COALESCE(o.contest, '') AS contest,
              v.heuristic || char(10) || v.version || char(10) || v.author AS competitor
       FROM names n
       LEFT JOIN leaderboard_by_heuristic v ON v.heuristic = n.heuristic AND v.version = n.version
       LEFT JOIN offers o ON o.heuristic = n.heuristic AND o.version = n.version
       LEFT JOIN credits c ON c.dataset_fingerprint = o.dataset_fingerprint AND c.together_key = o.together_key
                          AND c.heuristic = n.heuristic AND c.version = n.version
       LEFT JOIN credit_parts p ON p.dataset_fingerprint = c.dataset_fingerprint AND p.together_key = c.together_key
                               AND p.heuristic = c.heuristic AND p.version = c.version
       ORDER BY o.contest IS NULL, o.procedure DESC, o.side = 'test' DESC, o.dataset, o.contest, c.credit IS NULL,
                c.credit DESC, o.gain DESC, rank, n.heuristic, n.version, v.author)sql",
     R"sql(
       SELECT heuristic || char(10) || version || char(10) || author, experiment_id, alpha_share
       FROM heuristic_use JOIN longest_runs USING (experiment_id) WHERE num_heuristics > 1)sql"},
    {R"sql(
       SELECT v.*, (SELECT AVG(seconds_per_image) FROM leaderboard_by_heuristic h WHERE h.author = v.author)
                     AS seconds_per_image,
              '' AS contest, v.author AS competitor
       FROM leaderboard_by_contributor v ORDER BY rank, author)sql",
     R"sql(
       SELECT author, experiment_id, SUM(alpha_share)
       FROM heuristic_use JOIN longest_runs USING (experiment_id)
       GROUP BY experiment_id, author HAVING MAX(num_heuristics) > COUNT(*))sql"},
    {R"sql(
       SELECT *, dataset || char(10) || dataset_settings || char(10) || num_train || char(10) || num_test AS contest,
              latest_experiment_id AS competitor
       FROM leaderboard_by_experiment ORDER BY dataset, dataset_settings, num_train, num_test, rank, experiment)sql",
     R"sql(
       SELECT MAX(experiment_id) OVER (PARTITION BY experiment, setup, feature_set), seed, -test_error
       FROM run_groups)sql"},
    {R"sql(
       SELECT *, dataset || char(10) || dataset_settings || char(10) || num_train || char(10) || num_test || char(10)
                 || feature_set || char(10) || COALESCE(rounds, '') AS contest,
              latest_experiment_id AS competitor
       FROM leaderboard_by_strategy
       ORDER BY dataset, dataset_settings, num_train, num_test, rounds, num_features, feature_set, rank, sampler)sql",
     R"sql(
       SELECT MAX(experiment_id) OVER (PARTITION BY dataset, num_train, num_test, setup, feature_set), seed, -test_error
       FROM run_groups)sql"},
};

Cell cell_of(const SQLite::Column& value) {
  if (value.isNull()) return {};
  if (value.isInteger()) return value.getInt64();
  if (value.isFloat()) return value.getDouble();
  return value.getString();
}

// By competitor.
std::map<std::string, OccasionScores> read_scores(SQLite::Database& database, const RankedView& board) {
  std::map<std::string, OccasionScores> scores;
  SQLite::Statement query(database, board.scores);
  while (query.executeStep())
    if (!query.getColumn(2).isNull())
      scores[query.getColumn(0).getString()][query.getColumn(1).getInt64()] = query.getColumn(2).getDouble();
  return scores;
}

}  // namespace

Result<LeaderboardBy> parse_leaderboard_by(std::string_view word) {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (word == kWords[i]) return static_cast<LeaderboardBy>(i);
  }
  return unknown_name("leaderboard", word, kWords);
}

Result<std::vector<LeaderboardRow>> read_leaderboard(const RecordsReader& records, LeaderboardBy by) {
  const RankedView& board = kRankedViews[std::size_t(by)];
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<LeaderboardRow>> {
    const auto scores = read_scores(database, board);
    SQLite::Statement query(database, board.rows);
    std::vector<LeaderboardRow> rows;
    while (query.executeStep()) {
      LeaderboardRow& row = rows.emplace_back();
      for (int i = 0; i < query.getColumnCount(); ++i) {
        const SQLite::Column value = query.getColumn(i);
        const std::string_view name = value.getName();
        if (!value.isBlob())
          row.values[std::string(name)] = cell_of(value);
        else if (name == "of_pairs")
          row.credit.of_pairs = rows::values_in<double>(value);
        else if (name == "of_seeds")
          row.credit.of_seeds = rows::values_in<double>(value);
        else if (name == "of_pictures")
          row.credit.of_pictures = rows::values_in<double>(value);
      }
      row.contest = query.getColumn("contest").getString();
      if (const auto offer = row.values.find("offer_id"); offer != row.values.end())
        if (const auto* id = std::get_if<std::int64_t>(&offer->second))
          row.gains = rows::offer_sums(database, *id);
      if (const auto found = scores.find(query.getColumn("competitor").getString()); found != scores.end())
        row.scores = found->second;
    }
    return rows;
  });
}

}  // namespace mash
