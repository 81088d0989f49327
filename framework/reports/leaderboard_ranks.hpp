// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/analysis/shapley.hpp"
#include "framework/base/rank_intervals.hpp"
#include "framework/records/leaderboard_rows.hpp"
#include "framework/render/table.hpp"

namespace mash {

// Sets of ranks: each holds its own rank with 95 %, or all of a contest hold all ranks at once.
enum class RankForm { kOwn, kTogether };

// The value of a column of the view that the row comes from; an empty one where there is none.
Cell value_of(const LeaderboardRow& row, std::string_view key);
// Nothing where there is none. A column may hold integers and reals.
std::optional<double> number_of(const LeaderboardRow& row, std::string_view key);

// Whether its offer test tells a gain: not where the pool left nothing to learn.
bool tells_gain(const LeaderboardRow& row);

// The credit of a heuristic of a pool with its error, as far as that is known: former versions kept no parts
// of pictures, and an error without them is too small.
std::optional<ShapleyValue> credit_with_error(const LeaderboardRow& row);

// The ranks of a row in its contest; none where it has nothing that the others are ranked by.
struct RowRanks {
  std::optional<RankInterval> interval = {};
  std::optional<double> expected = {};
  bool is_by_figures = false;  // by credits or gains: those that cannot be told apart share a rank
  double place = 0;            // in the contest, where rows are not in their order already
  std::string_view limited_by = {};
  std::optional<std::int64_t> wanted_pictures = {};
  std::string narrowed_by = {};  // the command
};

// Keeps the settings of heuristics that are there with several of them: of others of their name and version
// the builds, where these alone differ.
void tell_settings_apart(std::span<LeaderboardRow> rows);

// Whether a row is an offer that is the only one of its contest: there is nothing to be ranked among.
bool is_lone_offer(std::span<const LeaderboardRow> rows, std::size_t row_idx);

// The ranks of each row among the rows of its contest; none of a lone offer.
std::vector<RowRanks> ranks_of(std::span<const LeaderboardRow> rows, RankForm form);

// The order in which a board shows them: contest by contest as they came. Credits come in their order; gains
// by their expected ranks, or those that are surely worse than fewer others first. Lone offers on the same
// data and side stand together, the largest gain first.
std::vector<std::size_t> order_of(std::span<const LeaderboardRow> rows, std::span<const RowRanks> ranks);

}  // namespace mash
