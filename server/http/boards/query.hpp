// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/frame/board_cache.hpp"
#include "server/http/wire/message.hpp"

// The part of a board that an address asks for, and its order.
namespace mash::server {

enum class BoardBy { kHeuristic, kContributor };

// The key of a sorted ranking: its name in addresses, what people read, and whether the highest comes first
// where nothing else is asked for.
struct SortKey {
  std::string_view name, title;
  bool is_highest_first = false;
};
std::span<const SortKey> sort_keys(BoardBy by);

inline constexpr std::size_t kRowsOfPage = 50;

struct BoardQuery {
  std::optional<std::int64_t> version = {};  // nothing: the newest
  BoardBy by = BoardBy::kHeuristic;
  std::string sort = "rank";
  bool is_descending = false;
  std::string find = {}, contributor = {}, finding = {};  // empty: all
  bool together = false;  // sets of ranks that hold all ranks at once, in place of each one's own
  std::size_t page = 0;   // from 1; 0: none was asked for
};
// Errors (kInput): a value that is none, with those that are known.
Result<BoardQuery> read_board_query(const Request& request);

// The address that asks for this: path, and what is not as usual.
std::string address_of(const BoardQuery& query, std::string_view path);
// The same query sorted by `key`; reversed if it is the current key. From the first page.
BoardQuery sorted_by(BoardQuery query, const SortKey& key);
// The same without filters, from the first page.
BoardQuery unfiltered(BoardQuery query);
bool is_filtered(const BoardQuery& query);

// The places in stand.entries of those that are asked for, in their order; all pages.
std::vector<std::size_t> chosen_entries(const BoardStand& stand, const BoardQuery& query);

// Somebody's heuristics on a board.
struct ContributorStand {
  std::string name;
  std::size_t num_heuristics = 0, num_adds = 0;  // num_adds: that were found to add something
  std::size_t best_idx = 0;                      // the one of the best rank, in stand.entries
  std::string last_at = {};                      // when the last of them was judged
};
std::vector<ContributorStand> chosen_contributors(const BoardStand& stand, const BoardQuery& query);

// A part of all rows: [begin, end).
struct PageSpan {
  std::size_t page = 1, num_pages = 1, begin = 0, end = 0;
};
// page: 0 is the first; one after the last has no rows.
PageSpan page_span(std::size_t num_rows, std::size_t page);

}  // namespace mash::server
