// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/leaderboard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "framework/analysis/offer_verdict.hpp"
#include "framework/base/settings.hpp"
#include "framework/reports/differing_settings.hpp"

namespace mash {
namespace {

// A column of a view. An estimate has its standard deviation in `key`_sd and its number of runs in
// `num_runs`, or half the width of its interval in `half_width`; that of a credit is computed of its parts.
struct Source {
  const char* key;
  const char* title;
  Format format;
  const char* num_runs = nullptr;
  const char* half_width = nullptr;

  bool is_estimate() const { return num_runs != nullptr || half_width != nullptr; }
};

// Computed here, from the scores of every run or from gains and their errors.
constexpr const char kRankLow[] = "rank_low", kRankHigh[] = "rank_high", kExpectedRank[] = "expected_rank";
// Settings by which an experiment or strategy differs from the others that are shown, or a heuristic from
// others of its name.
constexpr const char kSettings[] = "settings";
// The command that narrows a rank by credit which is no single one, or is not known.
constexpr const char kNarrowedBy[] = "narrowed_by";
// The reason why a rank is open, and how many pictures would part it from the easiest of the others; the
// family of which a heuristic is a near copy.
constexpr const char kLimitedBy[] = "limited_by", kWantedPictures[] = "wanted_pictures",
                     kCopyOf[] = "copy_of";

constexpr Source kHeuristicColumns[] = {
    {"rank", "rank", Format::kCount},
    {kRankLow, "from", Format::kCount},
    {kRankHigh, "to", Format::kCount},
    {"heuristic", "heuristic", Format::kText},
    {"version", "version", Format::kText},
    {kSettings, "settings", Format::kText},
    {"author", "author", Format::kText},
    {kExpectedRank, "expected", Format::kDecimal},
    {"shapley", "credit (nats)", Format::kDecimal, nullptr, "shapley_ci95"},
    {"gain", "gain", Format::kPercent, nullptr, "gain_ci95"},
    {"num_seeds", "seeds", Format::kCount},
    {"finding", "verdict", Format::kText},
    {kCopyOf, "near copy of", Format::kText},
    {kLimitedBy, "limited by", Format::kText},
    {kWantedPictures, "pictures wanted", Format::kCount},
    {"dataset", "data set", Format::kText},
    {"side", "judged on", Format::kText},
    {"pool", "beside those of", Format::kText},
    {"alpha_share", "share of α", Format::kPercent, "num_contested"},
    {"num_contested", "runs", Format::kCount},
    {"num_experiments", "experiments", Format::kCount},
    {"chosen", "chosen", Format::kCount},
    {"loss_removed", "loss removed", Format::kDecimal},
    {"loss_removed_per_1000_offers", "per 1000 offers", Format::kDecimal},
    {"evaluated", "evaluated", Format::kCount},
    {"seconds_per_image", "µs/image", Format::kMicroseconds},
    {"num_faults", "faults", Format::kCount},
    {"procedure", "procedure", Format::kCount},
    {kNarrowedBy, "rank narrowed by", Format::kText},
};

constexpr Source kContributorColumns[] = {
    {"rank", "rank", Format::kCount},
    {kRankLow, "from", Format::kCount},
    {kRankHigh, "to", Format::kCount},
    {"author", "contributor", Format::kText},
    {"num_heuristics", "heuristics", Format::kCount},
    {"num_experiments", "experiments", Format::kCount},
    {"chosen", "chosen", Format::kCount},
    {"alpha_share", "share of α", Format::kPercent, "num_contested"},
    {"num_contested", "runs", Format::kCount},
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
    {"learner", "learner", Format::kText},
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
    {"learner", "learner", Format::kText},
    {"weak", "weak", Format::kText},
    {"runs", "runs", Format::kCount},
    {"test_error", "test error", Format::kPercent, "runs"},
    {"train_loss_log10", "log10 loss", Format::kDecimal},
    {"features_per_round", "cost/(N·round)", Format::kDecimal},
    {"train_seconds", "seconds", Format::kDecimal},
};

// Keys of the columns that a short table has, and of those that it has where rows differ in them.
constexpr std::string_view kShortHeuristic[] = {
    "rank", "heuristic", kSettings, "shapley", "gain", "num_seeds", "finding", kCopyOf, "seconds_per_image"};
constexpr std::string_view kShortContributor[] = {
    "rank", "author", "num_heuristics", "alpha_share", "num_contested", "loss_removed", "seconds_per_image"};
// Those that it has beside these where no heuristic was offered or credited: by which they are ranked then.
constexpr std::string_view kShortShares[] = {"alpha_share", "num_contested"};
constexpr std::string_view kShortExperiment[] = {
    "rank", "experiment", "learner", "sampler", "runs", "test_error", "fe", "train_seconds", kSettings};
constexpr std::string_view kShortStrategy[] = {
    "rank",          "sampler", "learner", "weak", "runs", "test_error", "features_per_round",
    "train_seconds", kSettings};
constexpr std::string_view kGrounds[] = {
    "dataset", "dataset_settings", "num_train", "num_features", "rounds", "side", "pool", "procedure"};

struct Board {
  const char* title;
  std::span<const Source> columns;
  std::span<const std::string_view> short_keys;
};

// In the order of LeaderboardBy.
constexpr Board kBoards[] = {{"Leaderboard of heuristics", kHeuristicColumns, kShortHeuristic},
                             {"Leaderboard of contributors", kContributorColumns, kShortContributor},
                             {"Leaderboard of experiments", kExperimentColumns, kShortExperiment},
                             {"Leaderboard of strategies", kStrategyColumns, kShortStrategy}};

// The family of the pool that spans the same.
Cell near_copy(const LeaderboardRow& row) {
  return number_of(row, "nearest_cka").value_or(0) >= kSameSpace ? value_of(row, "nearest") : Cell();
}

Cell cell_of(const LeaderboardRow& row, const RowRanks& ranks, const Source& source) {
  const std::string_view key = source.key;
  const auto& interval = ranks.interval;
  if (key == "rank" && (ranks.is_by_figures || !interval)) return interval ? Cell(interval->low) : Cell();
  if (key == "gain" && !tells_gain(row)) return {};
  if (key == kRankLow) return interval ? Cell(interval->low) : Cell();
  if (key == kRankHigh) return interval ? Cell(interval->high) : Cell();
  if (key == kCopyOf) return near_copy(row);
  if (key == kLimitedBy) return ranks.limited_by.empty() ? Cell() : Cell(std::string(ranks.limited_by));
  if (key == kWantedPictures) return ranks.wanted_pictures ? Cell(*ranks.wanted_pictures) : Cell();
  if (key == kExpectedRank) return ranks.expected ? Cell(*ranks.expected) : Cell();
  if (key == kNarrowedBy) return ranks.narrowed_by.empty() ? Cell() : Cell(ranks.narrowed_by);
  const std::optional<double> mean = number_of(row, source.key);
  if (!source.is_estimate() || !mean) return value_of(row, source.key);
  if (key == "shapley") {
    const auto credit = credit_with_error(row);
    return Estimate{*mean, credit ? credit->reach() : std::nullopt};
  }
  if (source.half_width != nullptr) return Estimate{*mean, number_of(row, source.half_width)};
  return estimate(*mean, number_of(row, std::string(source.key) + "_sd").value_or(0),
                  std::int64_t(number_of(row, source.num_runs).value_or(0)));
}

bool holds(std::span<const std::string_view> keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

bool is_empty(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }

// Whether no row has a value there.
bool has_none(const Table& table, std::string_view key) {
  const std::size_t place = place_of_column(table, key);
  return std::ranges::all_of(table.rows, [&](const auto& row) { return is_empty(row[place]); });
}

// Whether two rows have other values there; rows without any do not count.
bool rows_differ(const Table& table, std::size_t column) {
  std::optional<std::string> first;
  for (const auto& row : table.rows) {
    if (is_empty(row[column])) continue;
    const std::string text = show(row[column], table.columns[column].format);
    if (first && *first != text) return true;
    first = text;
  }
  return false;
}

// "2–4", or "3"; "not known" where a command says how it could be.
Cell rank_cell(const Table& table, const std::vector<Cell>& row) {
  const Cell &low = row[place_of_column(table, kRankLow)], &high = row[place_of_column(table, kRankHigh)];
  const std::size_t command = place_of_column(table, kNarrowedBy);
  if (is_empty(low) && command < row.size() && !is_empty(row[command])) return "not known";
  if (is_empty(low)) return {};
  const std::string first = show(low, Format::kCount), last = show(high, Format::kCount);
  return first == last ? first : first + "–" + last;
}

bool has_no_rank_cell(const Table& table) {
  return std::ranges::all_of(table.rows, [&](const auto& row) { return is_empty(rank_cell(table, row)); });
}

Status check_keys(const Table& table, std::span<const std::string> keys) {
  std::vector<std::string_view> known;
  for (const Column& column : table.columns) known.push_back(column.key);
  for (const std::string& key : keys)
    if (!holds(known, key)) return unknown_name("column", key, known);
  return Done{};
}

bool has_settings(LeaderboardBy by) {
  return by == LeaderboardBy::kExperiment || by == LeaderboardBy::kStrategy;
}

// By which settings each row differs from the others; those of the data set and the rounds have columns. All
// runs of a row have the same settings.
Result<std::vector<DifferingSettings>> settings_of(const RecordsReader& records,
                                                   std::span<const LeaderboardRow> rows) {
  std::vector<std::int64_t> ids;
  for (const LeaderboardRow& row : rows)
    ids.push_back(std::int64_t(number_of(row, "latest_experiment_id").value_or(0)));
  MASH_ASSIGN(std::vector<SettingsOfRun> settings, read_settings(records, ids));
  for (SettingsOfRun& row : settings)
    std::erase_if(row, [](const auto& setting) {
      return setting.first.starts_with("dataset.") || setting.first == "booster.rounds";
    });
  return differing_settings(settings, {});
}

}  // namespace

Result<Table> short_leaderboard(const Table& table, LeaderboardBy by, std::span<const std::string> more) {
  MASH_TRY(check_keys(table, more));
  const bool is_by_share =
      by == LeaderboardBy::kHeuristic && has_none(table, "gain") && has_none(table, "shapley");
  const auto is_shown = [&](std::size_t i) {
    const std::string& key = table.columns[i].key;
    if (std::ranges::find(more, key) != more.end()) return true;
    if (holds(kGrounds, key) && rows_differ(table, i)) return true;
    if (is_by_share && holds(kShortShares, key)) return true;
    const bool is_empty_column =
        key == "rank" ? has_no_rank_cell(table) && has_none(table, "gain") : has_none(table, key);
    return holds(kBoards[std::size_t(by)].short_keys, key) && !is_empty_column;
  };
  Table shown{table.title, {}, std::vector<std::vector<Cell>>(table.rows.size()), table.hint};
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!is_shown(i)) continue;
    shown.columns.push_back(table.columns[i]);
    if (table.columns[i].key == "shapley") shown.columns.back().title = "credit";  // the legend has its unit
    if (table.columns[i].is_estimate) shown.columns.back().title += " ± 95 %";
    const bool is_rank = table.columns[i].key == "rank";
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      shown.rows[r].push_back(is_rank ? rank_cell(table, table.rows[r]) : table.rows[r][i]);
  }
  return shown;
}

Result<Table> short_site_leaderboard(const Table& table, std::span<const std::string> more) {
  MASH_TRY(check_keys(table, more));
  constexpr std::string_view kLeftOut[] = {
      "version",   "expected_rank", "beyond_others", "beyond_at", "beyond_remark", "wanted_pictures",
      "num_seeds", "num_features",  "num_together",  "verified",  "submission",    "judged_at"};
  constexpr std::string_view kUnit = " of the log-loss";
  Table shown{table.title, {}, std::vector<std::vector<Cell>>(table.rows.size()), table.hint};
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& key = table.columns[i].key;
    const bool is_wanted = std::ranges::find(more, key) != more.end();
    if (!is_wanted && (holds(kLeftOut, key) || has_none(table, key))) continue;
    Column& column = shown.columns.emplace_back(table.columns[i]);
    if (column.title.ends_with(kUnit)) column.title.erase(column.title.size() - kUnit.size());
    for (std::size_t r = 0; r < table.rows.size(); ++r) shown.rows[r].push_back(table.rows[r][i]);
  }
  return shown;
}

Result<Table> leaderboard(const RecordsReader& records, LeaderboardBy by, RankForm form) {
  const Board& board = kBoards[std::size_t(by)];
  Table table;
  table.title = board.title;
  table.hint = "no finished experiment yet; 'mash run demo' makes one";
  for (const Source& column : board.columns)
    table.columns.push_back({column.key, column.title, column.format, column.is_estimate()});
  if (form == RankForm::kTogether) table.columns[place_of_column(table, "rank")].title = "rank (all at once)";
  MASH_ASSIGN(auto rows, read_leaderboard(records, by));
  const auto ranks = ranks_of(rows, form);
  std::vector<DifferingSettings> settings(rows.size());
  if (has_settings(by)) {
    MASH_ASSIGN(settings, settings_of(records, rows));
    table.columns.push_back({kSettings, "differs by", Format::kText});
  }
  if (by == LeaderboardBy::kHeuristic) tell_settings_apart(rows);
  for (const std::size_t i : order_of(rows, ranks)) {
    auto& cells = table.rows.emplace_back();
    for (const Source& column : board.columns) cells.push_back(cell_of(rows[i], ranks[i], column));
    if (!has_settings(by)) continue;
    const std::string words = differences_in_words(settings[i]);
    cells.push_back(words.empty() ? Cell() : Cell(words));
  }
  return table;
}

}  // namespace mash
