// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/leaderboard.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>

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

// Computed here, from the scores of every run or from gains and their errors.
constexpr const char kRankLow[] = "rank_low", kRankHigh[] = "rank_high";

constexpr Source kHeuristicColumns[] = {
    {"rank", "rank", Format::kCount},
    {kRankLow, "from", Format::kCount},
    {kRankHigh, "to", Format::kCount},
    {"heuristic", "heuristic", Format::kText},
    {"version", "version", Format::kText},
    {"author", "author", Format::kText},
    {"gain", "gain", Format::kPercent, nullptr, "gain_ci95"},
    {"finding", "verdict", Format::kText},
    {"shapley", "credit (nats)", Format::kDecimal, nullptr, "shapley_ci95"},
    {"dataset", "data set", Format::kText},
    {"side", "judged on", Format::kText},
    {"pool", "beside those of", Format::kText},
    {"alpha_share", "share of alpha", Format::kPercent, "num_contested"},
    {"num_experiments", "experiments", Format::kCount},
    {"chosen", "chosen", Format::kCount},
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
  std::span<const Source> columns;
};

// In the order of LeaderboardBy.
constexpr Board kBoards[] = {{"Leaderboard of heuristics", kHeuristicColumns},
                             {"Leaderboard of contributors", kContributorColumns},
                             {"Leaderboard of experiments", kExperimentColumns},
                             {"Leaderboard of strategies", kStrategyColumns}};

Cell value_of(const LeaderboardRow& row, std::string_view key) {
  const auto found = row.values.find(key);
  return found == row.values.end() ? Cell() : found->second;
}

// Nothing where there is none. A column may hold integers and reals.
std::optional<double> number_of(const LeaderboardRow& row, std::string_view key) {
  const Cell value = value_of(row, key);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return double(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

// The gain of a heuristic by its offer test.
std::optional<MeasuredScore> measured_gain(const LeaderboardRow& row) {
  const auto gain = number_of(row, "gain"), error = number_of(row, "gain_se"),
             num_seeds = number_of(row, "num_seeds");
  if (!gain || !error || !num_seeds) return std::nullopt;
  return MeasuredScore{*gain, *error, std::size_t(*num_seeds)};
}

Cell cell_of(const LeaderboardRow& row, const RankInterval& ranks, const Source& source) {
  // Gains that cannot be told apart share a rank.
  if (source.key == std::string_view("rank") && measured_gain(row)) return ranks.low;
  if (source.key == std::string_view(kRankLow)) return ranks.low;
  if (source.key == std::string_view(kRankHigh)) return ranks.high;
  const std::optional<double> mean = number_of(row, source.key);
  if (!source.is_estimate() || !mean) return value_of(row, source.key);
  if (source.half_width != nullptr) return Estimate{*mean, number_of(row, source.half_width)};
  return estimate(*mean, number_of(row, std::string(source.key) + "_sd").value_or(0),
                  std::int64_t(number_of(row, source.num_runs).value_or(0)));
}

// The interval of each row among the rows of its contest.
std::vector<RankInterval> intervals_of(std::span<const LeaderboardRow> rows) {
  std::vector<RankInterval> intervals(rows.size());
  std::map<std::string, std::vector<std::size_t>> rows_of;
  for (std::size_t i = 0; i < rows.size(); ++i) rows_of[rows[i].contest].push_back(i);
  for (const auto& [contest, members] : rows_of) {
    std::vector<OccasionScores> competitors;
    std::vector<MeasuredScore> measured;
    for (const std::size_t i : members) {
      competitors.push_back(rows[i].scores);
      if (const auto gain = measured_gain(rows[i])) measured.push_back(*gain);
    }
    const bool are_measured = measured.size() == members.size();
    const auto found = are_measured ? measured_rank_intervals(measured) : rank_intervals(competitors);
    for (std::size_t i = 0; i < members.size(); ++i) intervals[members[i]] = found[i];
  }
  return intervals;
}

// Contest by contest as they came; in one of offers those that are surely worse than fewer others first.
std::vector<std::size_t> order_of(std::span<const LeaderboardRow> rows,
                                  std::span<const RankInterval> intervals) {
  std::map<std::string, std::size_t> contests;
  for (const LeaderboardRow& row : rows) contests.emplace(row.contest, contests.size());
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto key = [&](std::size_t i) {
    return std::pair(contests.at(rows[i].contest), measured_gain(rows[i]) ? intervals[i].low : 0);
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

}  // namespace

Result<Table> leaderboard(const RecordsReader& records, LeaderboardBy by) {
  const Board& board = kBoards[std::size_t(by)];
  Table table;
  table.title = board.title;
  table.hint = "no finished experiment yet; 'mash run demo' makes one";
  for (const Source& column : board.columns)
    table.columns.push_back({column.key, column.title, column.format, column.is_estimate()});
  MASH_ASSIGN(const auto rows, read_leaderboard(records, by));
  const auto intervals = intervals_of(rows);
  for (const std::size_t i : order_of(rows, intervals)) {
    auto& cells = table.rows.emplace_back();
    for (const Source& column : board.columns) cells.push_back(cell_of(rows[i], intervals[i], column));
  }
  return table;
}

}  // namespace mash
