// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/leaderboard.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <array>
#include <span>
#include <string>

#include "framework/base/settings.hpp"
#include "framework/records/database.hpp"

namespace mash {
namespace {

// A column of a view. An estimate has its standard deviation in `key`_sd and its number of runs in
// `num_runs`.
struct Source {
  const char* key;
  const char* title;
  Format format;
  const char* num_runs = nullptr;
};

constexpr Source kHeuristicColumns[] = {
    {"rank", "rank", Format::kCount},
    {"heuristic", "heuristic", Format::kText},
    {"version", "version", Format::kText},
    {"author", "author", Format::kText},
    {"num_experiments", "experiments", Format::kCount},
    {"chosen", "chosen", Format::kCount},
    {"alpha_share", "share of alpha", Format::kPercent, "num_contested"},
    {"loss_removed", "loss removed", Format::kDecimal},
    {"loss_removed_per_1000_offers", "per 1000 offers", Format::kDecimal},
    {"evaluated", "evaluated", Format::kCount},
    {"seconds_per_image", "µs/image", Format::kMicroseconds},
    {"num_faults", "faults", Format::kCount},
};

constexpr Source kContributorColumns[] = {
    {"rank", "rank", Format::kCount},
    {"author", "contributor", Format::kText},
    {"num_heuristics", "heuristics", Format::kCount},
    {"num_experiments", "experiments", Format::kCount},
    {"chosen", "chosen", Format::kCount},
    {"alpha_share", "share of alpha", Format::kPercent, "num_contested"},
    {"loss_removed", "loss removed", Format::kDecimal},
    {"evaluated", "evaluated", Format::kCount},
    {"num_faults", "faults", Format::kCount},
};

constexpr Source kExperimentColumns[] = {
    {"dataset", "data set", Format::kText},
    {"num_train", "train", Format::kCount},
    {"rank", "rank", Format::kCount},
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
    {"num_train", "train", Format::kCount},
    {"num_features", "features", Format::kCount},
    {"rounds", "rounds", Format::kCount},
    {"rank", "rank", Format::kCount},
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
  const char* view;
  const char* title;
  const char* order;
  std::span<const Source> columns;
};

// In the order of LeaderboardBy.
constexpr std::array<std::string_view, 4> kWords = {"heuristic", "contributor", "experiment", "strategy"};

Board board(LeaderboardBy by) {
  switch (by) {
    case LeaderboardBy::kContributor:
      return {"leaderboard_by_contributor", "Leaderboard of contributors", "rank, author",
              kContributorColumns};
    case LeaderboardBy::kExperiment:
      return {"leaderboard_by_experiment", "Leaderboard of experiments",
              "dataset, num_train, num_test, rank, experiment", kExperimentColumns};
    case LeaderboardBy::kStrategy:
      return {"leaderboard_by_strategy", "Leaderboard of strategies",
              "dataset, num_train, num_test, rounds, num_features, feature_set, rank, sampler",
              kStrategyColumns};
    default:
      return {"leaderboard_by_heuristic", "Leaderboard of heuristics", "rank, heuristic, version",
              kHeuristicColumns};
  }
}

Cell plain_cell(const SQLite::Column& value) {
  if (value.isNull()) return {};
  if (value.isInteger()) return value.getInt64();
  if (value.isFloat()) return value.getDouble();
  return value.getString();
}

Cell read_cell(const SQLite::Statement& row, const Source& source) {
  const SQLite::Column value = row.getColumn(source.key);
  if (source.num_runs == nullptr || value.isNull()) return plain_cell(value);
  const std::string sd = std::string(source.key) + "_sd";
  return estimate(value.getDouble(), row.getColumn(sd.c_str()).getDouble(),
                  row.getColumn(source.num_runs).getInt64());
}

}  // namespace

Result<LeaderboardBy> parse_leaderboard_by(std::string_view word) {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (word == kWords[i]) return static_cast<LeaderboardBy>(i);
  }
  return unknown_name("leaderboard", word, kWords);
}

Result<Table> leaderboard(Records& records, LeaderboardBy by) {
  const Board source = board(by);
  Table table;
  table.title = source.title;
  table.hint = "no finished experiment yet; 'mash run experiments/demo.yaml' makes one";
  for (const Source& column : source.columns) {
    table.columns.push_back({column.key, column.title, column.format, column.num_runs != nullptr});
  }
  return with_database(records.database(), [&](SQLite::Database& database) -> Result<Table> {
    SQLite::Statement query(database, fmt::format("SELECT * FROM {} ORDER BY {}", source.view, source.order));
    while (query.executeStep()) {
      auto& row = table.rows.emplace_back();
      for (const Source& column : source.columns) row.push_back(read_cell(query, column));
    }
    return std::move(table);
  });
}

}  // namespace mash
