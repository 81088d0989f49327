// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/leaderboard_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>

#include "framework/analysis/offer_verdict.hpp"
#include "framework/base/loss_sums.hpp"
#include "framework/base/measured_gain.hpp"
#include "framework/base/rank_sets.hpp"

namespace mash {
namespace {

constexpr std::string_view kLimitPictures = "pictures", kLimitSeeds = "seeds";

// The gain of a heuristic by its offer test.
std::optional<MeasuredScore> measured_gain(const LeaderboardRow& row) {
  if (!tells_gain(row)) return std::nullopt;
  const auto gain = number_of(row, "gain"), error = number_of(row, "gain_se"),
             num_seeds = number_of(row, "num_seeds");
  if (!gain || !error || !num_seeds) return std::nullopt;
  return MeasuredScore{*gain, *error, std::size_t(*num_seeds)};
}

// The credit of a heuristic of a pool, where its parts are kept.
std::optional<double> measured_credit(const LeaderboardRow& row) {
  return row.credit.of_seeds.empty() ? std::nullopt : number_of(row, "credit");
}

// The number of families of a pool, of which each row lacks its own.
std::size_t num_families_of(std::span<const LeaderboardRow* const> rows) {
  std::set<std::string> names;
  for (const LeaderboardRow* row : rows) {
    const Cell beside = value_of(*row, "families_beside");
    if (const auto* text = std::get_if<std::string>(&beside)) {
      std::istringstream lines(*text);
      for (std::string name; std::getline(lines, name);) names.insert(name);
    }
  }
  return names.size();
}

// The report that measures its credit with twice as many seeds and orders, or with the fewest that tell
// something; of a former version with as many. Empty where there are no more.
std::string narrowing_command(const LeaderboardRow& row, std::size_t num_families) {
  constexpr std::size_t kFewestOrders = 48, kMostOrders = 100'000, kFewestSeedsToTell = 5, kMostSeeds = 1000;
  const std::size_t num_pairs = row.credit.of_pairs.size(), num_seeds = row.credit.of_seeds.size();
  const bool is_former = row.credit.of_pictures.empty(),
             is_drawn = num_pairs > 0 && num_families > kMostFamiliesOfAllOrders;
  const std::size_t factor = is_former ? 1 : 2,
                    seeds = std::clamp(factor * num_seeds, kFewestSeedsToTell, kMostSeeds),
                    orders = is_drawn ? std::clamp(factor * 2 * num_pairs, kFewestOrders, kMostOrders) : 0;
  if (!is_former && seeds <= num_seeds && orders <= 2 * num_pairs) return "";
  const auto run = number_of(row, "pool_run");
  return fmt::format("mash report {} --rounds {:.0f} --seeds {}{}", run ? fmt::format("{:.0f}", *run) : "RUN",
                     number_of(row, "credit_rounds").value_or(0), seeds,
                     is_drawn ? fmt::format(" --orders {}", orders) : "");
}

// num_pictures: that judge, where the sets know of them.
RowRanks ranks_of_set(const RankSet& set, RankForm form, std::size_t num_pictures) {
  RowRanks ranks{form == RankForm::kOwn ? set.own : set.together, set.expected, true};
  if (num_pictures == 0 || set.num_open() == 0) return ranks;
  ranks.limited_by = set.is_limited_by_examples() ? kLimitPictures : kLimitSeeds;
  if (const std::size_t wanted = set.num_wanted(num_pictures); wanted > 0 && set.is_limited_by_examples())
    ranks.wanted_pictures = std::int64_t(wanted);
  return ranks;
}

// By the differences of credits, part by part: those of one pool share permutations, seeds and pictures. One
// whose own error is not known has no rank. The order of two that cannot be compared is left open, and is no
// coin that is tossed: they have sets and no expected rank.
std::vector<RowRanks> ranks_by_credit(std::span<const LeaderboardRow* const> rows, RankForm form) {
  std::vector<bool> is_known;
  for (const LeaderboardRow* row : rows) is_known.push_back(credit_with_error(*row).has_value());
  std::vector<bool> is_compared(rows.size(), true);  // with all others
  const std::vector<RankSet> sets = rank_sets(rows.size(), [&](std::size_t i, std::size_t j) {
    std::optional<PairDifference> difference;
    if (is_known[i] && is_known[j])
      difference = credit_difference(*measured_credit(*rows[i]), rows[i]->credit, *measured_credit(*rows[j]),
                                     rows[j]->credit);
    if (!difference) is_compared[i] = is_compared[j] = false;
    return difference.value_or(PairDifference());
  });
  const std::size_t num_families = num_families_of(rows);
  std::vector<RowRanks> ranks(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowRanks of_set = ranks_of_set(sets[i], form, 0);
    if (is_known[i]) ranks[i] = of_set;
    if (!is_compared[i]) ranks[i].expected = std::nullopt;
    if (!is_known[i] || of_set.interval->low < of_set.interval->high)
      ranks[i].narrowed_by = narrowing_command(*rows[i], num_families);
  }
  return ranks;
}

// The sums of their gains from the most seeds down, as far as it takes until any two have some in common:
// those of fewer tell nothing then. Nothing where two have none. num_pictures: those of the sums.
std::optional<SeedLevels> common_levels(std::span<const LeaderboardRow* const> rows,
                                        std::size_t& num_pictures) {
  std::set<std::size_t, std::greater<>> num_seeds;
  for (const LeaderboardRow* row : rows)
    for (const auto& [of_level, sums] : row->gains) num_seeds.insert(of_level);
  SeedLevels levels;
  const auto are_common = [&] {
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        if (levels.common_seeds(std::int64_t(i), std::int64_t(j)) == 0) return false;
    return true;
  };
  for (const std::size_t of_level : num_seeds) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (const auto sums = rows[i]->gains.find(of_level); sums != rows[i]->gains.end()) {
        levels.put(std::int64_t(i), sums->second);
        num_pictures = sums->second.z.of_examples.size();
      }
    if (are_common()) return levels;
  }
  return std::nullopt;
}

// By paired sums of their gains; nothing where two of them have none with equally many seeds.
std::optional<std::vector<RowRanks>> ranks_by_gain(std::span<const LeaderboardRow* const> rows,
                                                   RankForm form) {
  std::size_t num_pictures = 0;
  const auto levels = common_levels(rows, num_pictures);
  if (!levels) return std::nullopt;
  std::vector<std::int64_t> entries(rows.size());
  std::iota(entries.begin(), entries.end(), std::int64_t(0));
  // Each look spends as much of it.
  const auto sets = rank_sets(rows.size(), levels->among(entries), kMiss / double(kLooks.size()));
  std::vector<RowRanks> ranks;
  for (const RankSet& set : sets) {
    ranks.push_back(ranks_of_set(set, form, num_pictures));
    ranks.back().place = set.expected;
  }
  return ranks;
}

std::vector<RowRanks> ranks_by_scores(std::span<const LeaderboardRow* const> rows, RankForm form) {
  std::vector<OccasionScores> competitors;
  std::vector<MeasuredScore> measured;
  for (const LeaderboardRow* row : rows) {
    competitors.push_back(row->scores);
    if (const auto gain = measured_gain(*row)) measured.push_back(*gain);
  }
  const bool are_measured = measured.size() == rows.size();
  if (are_measured)
    if (auto by_gain = ranks_by_gain(rows, form)) return *std::move(by_gain);
  // Both are corrected for all pairs: they hold all ranks at once.
  const auto intervals = are_measured ? measured_rank_intervals(measured) : rank_intervals(competitors);
  std::vector<RowRanks> ranks;
  for (const RankInterval& interval : intervals)
    ranks.push_back({interval, std::nullopt, are_measured, are_measured ? double(interval.low) : 0});
  return ranks;
}

// The data, side and procedure of an offer: gains on the same grounds can be put in their order.
std::string grounds_of_offer(const LeaderboardRow& row) {
  std::string grounds = "alone";
  for (const char* key : {"dataset", "side", "procedure"})
    grounds += '\n' + show(value_of(row, key), Format::kText);
  return grounds;
}

}  // namespace

Cell value_of(const LeaderboardRow& row, std::string_view key) {
  const auto found = row.values.find(key);
  return found == row.values.end() ? Cell() : found->second;
}

std::optional<double> number_of(const LeaderboardRow& row, std::string_view key) {
  const Cell value = value_of(row, key);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return double(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

bool tells_gain(const LeaderboardRow& row) {
  const Cell finding = value_of(row, "finding");
  const auto* text = std::get_if<std::string>(&finding);
  return text == nullptr || *text != kNothingToLearn;
}

std::optional<ShapleyValue> credit_with_error(const LeaderboardRow& row) {
  const auto credit = measured_credit(row);
  if (!credit || row.credit.of_pictures.empty()) return std::nullopt;
  return with_error_of(*credit, row.credit);
}

void tell_settings_apart(std::span<LeaderboardRow> rows) {
  using Told = std::set<std::string>;
  std::map<std::string, Told> settings, builds;  // by heuristic and version; the second with its settings
  const auto text_of = [](const LeaderboardRow& row, std::string_view key) {
    const Cell value = value_of(row, key);
    const auto* text = std::get_if<std::string>(&value);
    return text ? *text : std::string();
  };
  const auto name_of = [&](const LeaderboardRow& row) {
    return text_of(row, "heuristic") + '\n' + text_of(row, "version");
  };
  const auto with_settings = [&](const LeaderboardRow& row) {
    return name_of(row) + '\n' + text_of(row, "settings");
  };
  for (const LeaderboardRow& row : rows) {
    settings[name_of(row)].insert(text_of(row, "settings"));
    builds[with_settings(row)].insert(text_of(row, "plugin_sha256"));
  }
  constexpr std::size_t kShownOfBuild = 8;
  std::vector<Cell> told;
  for (const LeaderboardRow& row : rows) {
    std::string text;
    if (settings[name_of(row)].size() > 1) text = text_of(row, "settings");
    if (builds[with_settings(row)].size() > 1)
      text += (text.empty() ? "build " : ", build ") + text_of(row, "plugin_sha256").substr(0, kShownOfBuild);
    told.push_back(text.empty() ? Cell() : Cell(text));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].values["settings"] = told[i];
}

bool is_lone_offer(std::span<const LeaderboardRow> rows, std::size_t row_idx) {
  const LeaderboardRow& row = rows[row_idx];
  if (row.contest.empty() || !number_of(row, "gain")) return false;
  return std::ranges::count(rows, row.contest, &LeaderboardRow::contest) == 1;
}

std::vector<RowRanks> ranks_of(std::span<const LeaderboardRow> rows, RankForm form) {
  std::vector<RowRanks> ranks(rows.size());
  std::map<std::string, std::vector<std::size_t>> rows_of;
  for (std::size_t i = 0; i < rows.size(); ++i) rows_of[rows[i].contest].push_back(i);
  for (const auto& [contest, members] : rows_of) {
    std::vector<std::size_t> ranked;
    for (const std::size_t i : members)
      if (measured_credit(rows[i])) ranked.push_back(i);
    const bool is_by_credit = ranked.size() >= 2;
    if (!is_by_credit) ranked = members;
    std::vector<const LeaderboardRow*> competitors;
    for (const std::size_t i : ranked) competitors.push_back(&rows[i]);
    const auto found = is_by_credit ? ranks_by_credit(competitors, form) : ranks_by_scores(competitors, form);
    for (std::size_t i = 0; i < ranked.size(); ++i)
      if (!is_lone_offer(rows, ranked[i])) ranks[ranked[i]] = found[i];
  }
  return ranks;
}

std::vector<std::size_t> order_of(std::span<const LeaderboardRow> rows, std::span<const RowRanks> ranks) {
  std::map<std::string, std::size_t> contests;
  std::vector<std::pair<std::size_t, double>> keys;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_lone = is_lone_offer(rows, i);
    const std::string contest = is_lone ? grounds_of_offer(rows[i]) : rows[i].contest;
    const double place = !is_lone              ? ranks[i].place
                         : tells_gain(rows[i]) ? -number_of(rows[i], "gain").value_or(0)
                                               : std::numeric_limits<double>::infinity();
    keys.emplace_back(contests.emplace(contest, contests.size()).first->second, place);
  }
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto key = [&](std::size_t i) { return keys[i]; };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

}  // namespace mash
