// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/leaderboard.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <map>
#include <span>
#include <string>

#include "framework/base/settings.hpp"
#include "framework/records/database.hpp"
#include "framework/base/rank_intervals.hpp"

namespace mash {
namespace {

// A column of a view. An estimate has its standard deviation in `key`_sd and its number of runs in
// `num_runs`, or half the width of its interval in `half_width`.
struct Source {
  const char* key;
  const char* title;
  Format format;
  const char* num_runs = nullptr;
  const char* half_width = nullptr;

  bool is_estimate() const { return num_runs != nullptr || half_width != nullptr; }
};

// Computed here, from the scores of every run.
constexpr const char kRankLow[] = "rank_low", kRankHigh[] = "rank_high";

constexpr Source kHeuristicColumns[] = {
    {"rank", "rank", Format::kCount},
    {kRankLow, "from", Format::kCount},
    {kRankHigh, "to", Format::kCount},
    {"heuristic", "heuristic", Format::kText},
    {"version", "version", Format::kText},
    {"author", "author", Format::kText},
    {"num_experiments", "experiments", Format::kCount},
    {"chosen", "chosen", Format::kCount},
    {"alpha_share", "share of alpha", Format::kPercent, "num_contested"},
    {"gain", "gain in trial", Format::kPercent, nullptr, "gain_ci95"},
    {"shapley", "credit", Format::kPercent},
    {"trial", "trial", Format::kText},
    {"loss_removed", "loss removed", Format::kDecimal},
    {"loss_removed_per_1000_offers", "per 1000 offers", Format::kDecimal},
    {"evaluated", "evaluated", Format::kCount},
    {"seconds_per_image", "µs/image", Format::kMicroseconds},
    {"num_faults", "faults", Format::kCount},
};

constexpr Source kContributorColumns[] = {
    {"rank", "rank", Format::kCount},
    {kRankLow, "from", Format::kCount},
    {kRankHigh, "to", Format::kCount},
    {"author", "contributor", Format::kText},
    {"num_heuristics", "heuristics", Format::kCount},
    {"num_experiments", "experiments", Format::kCount},
    {"chosen", "chosen", Format::kCount},
    {"alpha_share", "share of alpha", Format::kPercent, "num_contested"},
    {"loss_removed", "loss removed", Format::kDecimal},
    {"evaluated", "evaluated", Format::kCount},
    {"seconds_per_image", "µs/image", Format::kMicroseconds},
    {"num_faults", "faults", Format::kCount},
};

constexpr Source kExperimentColumns[] = {
    {"dataset", "data set", Format::kText},
    {"dataset_settings", "its settings", Format::kText},
    {"num_train", "train", Format::kCount},
    {"rank", "rank", Format::kCount},
    {kRankLow, "from", Format::kCount},
    {kRankHigh, "to", Format::kCount},
    {"experiment", "experiment", Format::kText},
    {"booster", "booster", Format::kText},
    {"sampler", "sampler", Format::kText},
    {"weak", "weak", Format::kText},
    {"num_features", "features", Format::kCount},
    {"rounds", "rounds", Format::kCount},
    {"runs", "runs", Format::kCount},
    {"test_error", "test error", Format::kPercent, "runs"},
    {"train_loss_log10", "log10 loss", Format::kDecimal},
    {"fe", "cost", Format::kCount},
    {"train_seconds", "seconds", Format::kDecimal},
};

constexpr Source kStrategyColumns[] = {
    {"dataset", "data set", Format::kText},
    {"dataset_settings", "its settings", Format::kText},
    {"num_train", "train", Format::kCount},
    {"num_features", "features", Format::kCount},
    {"rounds", "rounds", Format::kCount},
    {"rank", "rank", Format::kCount},
    {kRankLow, "from", Format::kCount},
    {kRankHigh, "to", Format::kCount},
    {"sampler", "sampler", Format::kText},
    {"booster", "booster", Format::kText},
    {"weak", "weak", Format::kText},
    {"runs", "runs", Format::kCount},
    {"test_error", "test error", Format::kPercent, "runs"},
    {"train_loss_log10", "log10 loss", Format::kDecimal},
    {"features_per_round", "cost/(N·round)", Format::kDecimal},
    {"train_seconds", "seconds", Format::kDecimal},
};

struct Board {
  const char* title;
  // Gives the columns in their order, and of each row the `contest` that it is in and who is the
  // `competitor`.
  const char* rows;
  // competitor, occasion, score.
  const char* scores;
  std::span<const Source> columns;
};

// In the order of LeaderboardBy.
constexpr std::array<std::string_view, 4> kWords = {"heuristic", "contributor", "experiment", "strategy"};

constexpr Board kBoards[] = {
    {"Leaderboard of heuristics", R"sql(
       SELECT v.*, t.gain, t.gain_ci95, t.shapley, t.trial, '' AS contest,
              v.heuristic || char(10) || v.version || char(10) || v.author AS competitor
       FROM leaderboard_by_heuristic v LEFT JOIN latest_trials t USING (heuristic, version)
       ORDER BY rank, heuristic, version)sql",
     R"sql(
       SELECT heuristic || char(10) || version || char(10) || author, experiment_id, alpha_share
       FROM heuristic_use WHERE num_heuristics > 1)sql",
     kHeuristicColumns},
    {"Leaderboard of contributors", R"sql(
       SELECT v.*, (SELECT AVG(seconds_per_image) FROM leaderboard_by_heuristic h WHERE h.author = v.author)
                     AS seconds_per_image,
              '' AS contest, v.author AS competitor
       FROM leaderboard_by_contributor v ORDER BY rank, author)sql",
     R"sql(
       SELECT author, experiment_id, SUM(alpha_share)
       FROM heuristic_use GROUP BY experiment_id, author HAVING MAX(num_heuristics) > COUNT(*))sql",
     kContributorColumns},
    {"Leaderboard of experiments", R"sql(
       SELECT *, dataset || char(10) || dataset_settings || char(10) || num_train || char(10) || num_test AS contest,
              latest_experiment_id AS competitor
       FROM leaderboard_by_experiment ORDER BY dataset, dataset_settings, num_train, num_test, rank, experiment)sql",
     R"sql(
       SELECT MAX(experiment_id) OVER (PARTITION BY experiment, setup, feature_set), seed, -test_error
       FROM run_groups)sql",
     kExperimentColumns},
    {"Leaderboard of strategies", R"sql(
       SELECT *, dataset || char(10) || dataset_settings || char(10) || num_train || char(10) || num_test || char(10)
                 || feature_set || char(10) || rounds AS contest,
              latest_experiment_id AS competitor
       FROM leaderboard_by_strategy
       ORDER BY dataset, dataset_settings, num_train, num_test, rounds, num_features, feature_set, rank, sampler)sql",
     R"sql(
       SELECT MAX(experiment_id) OVER (PARTITION BY dataset, num_train, num_test, setup, feature_set), seed, -test_error
       FROM run_groups)sql",
     kStrategyColumns},
};

Cell plain_cell(const SQLite::Column& value) {
  if (value.isNull()) return {};
  if (value.isInteger()) return value.getInt64();
  if (value.isFloat()) return value.getDouble();
  return value.getString();
}

bool is_rank_interval(const Source& source) {
  return source.key == std::string_view(kRankLow) || source.key == std::string_view(kRankHigh);
}

Cell read_cell(const SQLite::Statement& row, const Source& source) {
  const SQLite::Column value = row.getColumn(source.key);
  if (!source.is_estimate() || value.isNull()) return plain_cell(value);
  if (source.half_width != nullptr) {
    const SQLite::Column width = row.getColumn(source.half_width);
    return Estimate{value.getDouble(), width.isNull() ? std::nullopt : std::optional(width.getDouble())};
  }
  const std::string sd = std::string(source.key) + "_sd";
  return estimate(value.getDouble(), row.getColumn(sd.c_str()).getDouble(),
                  row.getColumn(source.num_runs).getInt64());
}

std::map<std::string, Scores> read_scores(SQLite::Database& database, const Board& board) {
  std::map<std::string, Scores> scores;
  SQLite::Statement query(database, board.scores);
  while (query.executeStep())
    if (!query.getColumn(2).isNull())
      scores[query.getColumn(0).getString()][query.getColumn(1).getInt64()] = query.getColumn(2).getDouble();
  return scores;
}

// Of each row, among the rows of its contest.
std::vector<RankInterval> intervals_of(const std::vector<std::string>& contests,
                                       const std::vector<Scores>& scores) {
  std::vector<RankInterval> intervals(contests.size());
  std::map<std::string, std::vector<std::size_t>> rows_of;
  for (std::size_t i = 0; i < contests.size(); ++i) rows_of[contests[i]].push_back(i);
  for (const auto& [contest, rows] : rows_of) {
    std::vector<Scores> competitors;
    for (const std::size_t i : rows) competitors.push_back(scores[i]);
    const auto found = rank_intervals(competitors);
    for (std::size_t i = 0; i < rows.size(); ++i) intervals[rows[i]] = found[i];
  }
  return intervals;
}

}  // namespace

Result<LeaderboardBy> parse_leaderboard_by(std::string_view word) {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (word == kWords[i]) return static_cast<LeaderboardBy>(i);
  }
  return unknown_name("leaderboard", word, kWords);
}

Result<Table> leaderboard(Records& records, LeaderboardBy by) {
  const Board& board = kBoards[std::size_t(by)];
  Table table;
  table.title = board.title;
  table.hint = "no finished experiment yet; 'mash run experiments/demo.yaml' makes one";
  for (const Source& column : board.columns)
    table.columns.push_back({column.key, column.title, column.format, column.is_estimate()});
  return with_database(records.database(), [&](SQLite::Database& database) -> Result<Table> {
    SQLite::Transaction transaction(database);  // rows and scores of one moment
    std::map<std::string, Scores> scores = read_scores(database, board);
    std::vector<std::string> contests;
    std::vector<Scores> competitors;
    SQLite::Statement query(database, board.rows);
    while (query.executeStep()) {
      auto& row = table.rows.emplace_back();
      for (const Source& column : board.columns)
        row.push_back(is_rank_interval(column) ? Cell() : read_cell(query, column));
      contests.push_back(query.getColumn("contest").getString());
      competitors.push_back(scores[query.getColumn("competitor").getString()]);
    }
    const auto intervals = intervals_of(contests, competitors);
    for (std::size_t i = 0; i < table.rows.size(); ++i)
      for (std::size_t j = 0; j < board.columns.size(); ++j) {
        if (is_rank_interval(board.columns[j]))
          table.rows[i][j] =
              board.columns[j].key == std::string_view(kRankLow) ? intervals[i].low : intervals[i].high;
      }
    return std::move(table);
  });
}

}  // namespace mash
