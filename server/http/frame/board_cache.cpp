// SPDX-License-Identifier: Apache-2.0
#include "server/http/frame/board_cache.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace mash::server {

namespace {

// The places of entries in the order in which they are shown.
std::vector<std::size_t> order_of(const std::vector<BoardEntry>& entries,
                                  const std::vector<EntryRank>& ranks) {
  std::map<std::int64_t, std::size_t> places;
  for (std::size_t i = 0; i < entries.size(); ++i) places.emplace(entries[i].submission_id, i);
  const auto key = [&](std::size_t i) {
    const auto original = ranks[i].copy_of ? places.find(*ranks[i].copy_of) : places.end();
    const std::size_t stands_with = original == places.end() ? i : original->second;
    const EntryRank& rank = ranks[stands_with];
    return std::tuple(!rank.own, rank.own ? rank.expected : 0.0, stands_with, i != stands_with);
  };
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

Result<std::shared_ptr<const BoardStand>> made_stand(const RecordsReader& records, const Board& board,
                                                     BoardRanks& known) {
  MASH_ASSIGN(const std::vector<BoardEntry> entries, read_board_entries(records, board.id));
  MASH_ASSIGN(const std::vector<EntryRank> ranks, known.ranks(records, board, entries));
  BoardStand stand{board, {}, {}, {}};
  MASH_ASSIGN(stand.together, read_together(records, board.id));
  MASH_ASSIGN(stand.beyond, read_beyond(records, board.id));
  MASH_ASSIGN(stand.copies, read_copies_rule(records, board.name));
  for (const std::size_t i : order_of(entries, ranks)) {
    stand.entries.push_back(entries[i]);
    stand.ranks.push_back(ranks[i]);
  }
  return std::make_shared<const BoardStand>(std::move(stand));
}

}  // namespace

std::size_t BoardStand::num_ranked() const {
  return std::size_t(
      std::ranges::count_if(ranks, [](const EntryRank& rank) { return rank.own.has_value(); }));
}

const TogetherGain* BoardStand::together_of(std::string_view contributor) const {
  const auto found = std::ranges::find(together, contributor, &TogetherGain::contributor);
  return found == together.end() ? nullptr : &*found;
}

const EntryBeyond* BoardStand::beyond_of(std::int64_t submission_id) const {
  const auto found = std::ranges::lower_bound(beyond, submission_id, {}, &EntryBeyond::submission_id);
  return found == beyond.end() || found->submission_id != submission_id ? nullptr : &*found;
}

Result<std::shared_ptr<const BoardStand>> BoardCache::stand(const RecordsReader& records,
                                                            const Board& board) {
  Kept& kept = place_of(board.id);
  std::unique_lock making(kept.making, std::defer_lock);
  if (const auto known = stand_of(kept)) {
    if (known->board.revision == board.revision || !making.try_lock()) return known;
  } else {
    making.lock();
  }
  // Another request may have made it meanwhile.
  if (const auto known = stand_of(kept); known != nullptr && known->board.revision == board.revision)
    return known;
  auto made = made_stand(records, board, kept.ranks);
  const std::lock_guard lock(mutex_);
  if (made.ok()) kept.stand = *made;
  return made;
}

BoardCache::Kept& BoardCache::place_of(std::int64_t board_id) {
  const std::lock_guard lock(mutex_);
  return kept_[board_id];
}

std::shared_ptr<const BoardStand> BoardCache::stand_of(const Kept& kept) {
  const std::lock_guard lock(mutex_);
  return kept.stand;
}

}  // namespace mash::server
