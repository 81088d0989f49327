// SPDX-License-Identifier: Apache-2.0
#include "framework/records/data_tables.hpp"

#include <algorithm>
#include <array>

#include "framework/base/settings.hpp"
#include "framework/records/internal/connection.hpp"
#include "framework/records/internal/rows.hpp"

namespace mash {
namespace {

constexpr std::array<std::string_view, 33> kNames{"classes",
                                                  "credits",
                                                  "curve",
                                                  "cuts",
                                                  "dataset_files",
                                                  "datasets",
                                                  "experiments",
                                                  "families",
                                                  "faults",
                                                  "finished",
                                                  "heuristic_trials",
                                                  "heuristic_use",
                                                  "heuristics",
                                                  "incidents",
                                                  "latest_offers",
                                                  "latest_trials",
                                                  "leaderboard_by_contributor",
                                                  "leaderboard_by_experiment",
                                                  "leaderboard_by_heuristic",
                                                  "leaderboard_by_strategy",
                                                  "longest_runs",
                                                  "offer_tests",
                                                  "phases",
                                                  "predictions",
                                                  "robustness",
                                                  "rounds",
                                                  "run_groups",
                                                  "run_settings",
                                                  "settings",
                                                  "test_errors",
                                                  "test_names",
                                                  "test_rows",
                                                  "trial_settings"};

// A column as it is read: its type is known when all of it has been seen.
class GrowingColumn {
 public:
  explicit GrowingColumn(bool is_declared_text) : is_text_(is_declared_text) {}

  void add(const SQLite::Column& cell) {
    has_null_ |= cell.isNull();
    is_real_ |= cell.isFloat();
    if (!is_text_ && (cell.isText() || cell.isBlob())) become_text();
    if (is_text_) {
      texts_.push_back(cell.isNull() ? std::nullopt : std::optional(cell.getString()));
      return;
    }
    integers_.push_back(cell.isNull() ? 0 : cell.getInt64());
    reals_.push_back(rows::real(cell));
  }

  DataValues take() {
    if (is_text_) return std::move(texts_);
    const bool is_integer = !is_real_ && (!has_null_ || integers_.empty());
    if (is_integer) return std::move(integers_);
    return std::move(reals_);
  }

 private:
  void become_text() {
    is_text_ = true;
    for (std::size_t n = 0; n < reals_.size(); ++n)
      texts_.push_back(reals_[n] == reals_[n] ? std::optional(fmt::format("{}", reals_[n])) : std::nullopt);
  }

  bool is_text_, is_real_ = false, has_null_ = false;
  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
  std::vector<std::optional<std::string>> texts_;
};

bool is_declared_text(SQLite::Statement& query, int column) {
  try {
    return std::string_view(query.getColumnDeclaredType(column)) == "TEXT";
  } catch (const SQLite::Exception&) {
    return false;  // a view's computed columns are declared as nothing
  }
}

DataTable read_table(SQLite::Database& database, const std::string& name) {
  SQLite::Statement query(database, fmt::format("SELECT * FROM {}", name));
  DataTable table{name, {}};
  std::vector<GrowingColumn> columns;
  for (int i = 0; i < query.getColumnCount(); ++i) {
    table.columns.push_back({query.getColumnName(i), {}});
    columns.emplace_back(is_declared_text(query, i));
  }
  while (query.executeStep())
    for (int i = 0; i < query.getColumnCount(); ++i) columns[std::size_t(i)].add(query.getColumn(i));
  for (std::size_t i = 0; i < columns.size(); ++i) table.columns[i].values = columns[i].take();
  return table;
}

}  // namespace

std::span<const std::string_view> data_table_names() { return kNames; }

Result<std::vector<DataTable>> read_data_tables(const RecordsReader& records,
                                                std::span<const std::string> names) {
  for (const std::string& name : names)
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end())
      return unknown_name("table", name, kNames);
  return read_records(records, [&](SQLite::Database& database) -> Result<std::vector<DataTable>> {
    std::vector<DataTable> tables;
    for (const std::string& name : names) tables.push_back(read_table(database, name));
    if (names.empty())
      for (const std::string_view name : kNames) tables.push_back(read_table(database, std::string(name)));
    return tables;
  });
}

}  // namespace mash
