// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/leaderboard_legend.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

namespace mash {
namespace {

constexpr std::string_view kRank = "Rank: one such as 2–4 is a set, which holds the true rank with 95 %.\n";
constexpr std::string_view kByCredit =
    "By credit: nats of the log-loss of a test picture that it removes, its share of what all remove "
    "(mash report RUN); rank and ± hold for other seeds, orders of the heuristics and test pictures.\n";
constexpr std::string_view kByGain =
    "By gain: per cent of the log-loss that it removes beside all others (offer tests); rank and ± hold for "
    "other seeds and judging pictures, ± at all looks of a test together.\n";
constexpr std::string_view kAlone =
    "Rank –: it was offered alone, and a rank compares heuristics of one pool that were each offered beside "
    "all others of it. Such gains stand in their order; mash compare A B tests the difference of two.\n";
constexpr std::string_view kByShare =
    "By share of α, its part of the weights of all votes: ± is over its runs; two are compared in the runs "
    "that "
    "both were in, in which other heuristics may have been beside them. Credits say more (mash report "
    "RUN).\n";
constexpr std::string_view kByError =
    "By test error: rank and ± hold for other seeds and these test pictures alone; mash compare takes the "
    "pictures for a sample too.\n";

// The cell of that column; nothing where there is no such column.
Cell legend_cell(const Table& table, const std::vector<Cell>& row, std::string_view key) {
  const auto column = std::ranges::find(table.columns, key, &Column::key);
  return column == table.columns.end() ? Cell() : row[std::size_t(column - table.columns.begin())];
}

bool lacks(const Table& table, const std::vector<Cell>& row, std::string_view key) {
  return std::holds_alternative<std::monostate>(legend_cell(table, row, key));
}

// Whether a row has the first of these and none of the others.
bool is_ranked_by(const Table& table, std::string_view key, std::initializer_list<std::string_view> better) {
  return std::ranges::any_of(table.rows, [&](const std::vector<Cell>& row) {
    return !lacks(table, row, key) &&
           std::ranges::all_of(better, [&](auto other) { return lacks(table, row, other); });
  });
}

// Whether a heuristic has a gain and no rank: it is the only one of its contest.
bool has_lone_offer(const Table& table) {
  return std::ranges::any_of(table.rows, [&](const std::vector<Cell>& row) {
    return !lacks(table, row, "gain") && lacks(table, row, "rank_low") && lacks(table, row, "narrowed_by");
  });
}

// The names of those without a rank, and all commands that narrow one, each once.
std::string narrowing(const Table& table) {
  std::vector<std::string> unknown, commands;
  for (const std::vector<Cell>& row : table.rows) {
    const Cell command = legend_cell(table, row, "narrowed_by");
    const auto* text = std::get_if<std::string>(&command);
    if (text == nullptr) continue;
    if (lacks(table, row, "rank_low"))
      unknown.push_back(show(legend_cell(table, row, "heuristic"), Format::kText));
    if (std::ranges::find(commands, *text) == commands.end()) commands.push_back(*text);
  }
  std::string lines;
  if (!unknown.empty())
    lines += fmt::format(
        "Not known: {}, as credits of one seed, of too few orders, or of a former version have no error.\n",
        fmt::join(unknown, ", "));
  for (const std::string& command : commands)
    lines +=
        fmt::format("Narrower ranks: {}{}\n", command,
                    command.starts_with("mash report RUN") ? "; RUN: the run that these credits are of" : "");
  return lines;
}

}  // namespace

std::string leaderboard_legend(const Table& table, LeaderboardBy by) {
  if (table.rows.empty()) return "";
  std::string legend(kRank);
  if (by == LeaderboardBy::kExperiment || by == LeaderboardBy::kStrategy) return legend.append(kByError);
  if (is_ranked_by(table, "shapley", {}) || is_ranked_by(table, "narrowed_by", {})) legend += kByCredit;
  if (is_ranked_by(table, "gain", {"shapley", "narrowed_by"})) legend += kByGain;
  if (has_lone_offer(table)) legend += kAlone;
  if (is_ranked_by(table, "alpha_share", {"shapley", "gain"})) legend += kByShare;
  return legend + narrowing(table);
}

}  // namespace mash
