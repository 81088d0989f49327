// SPDX-License-Identifier: Apache-2.0
#include "server/http/frame/board_cache.hpp"

#include <algorithm>

namespace mash::server {

namespace {

Result<std::shared_ptr<const BoardStand>> made_stand(const RecordsReader& records, const Board& board) {
  MASH_ASSIGN(std::vector<BoardEntry> entries, read_board_entries(records, board.id));
  std::vector<MeasuredScore> scores;
  for (const BoardEntry& entry : entries)
    scores.push_back({entry.gain, entry.standard_error, std::max<std::size_t>(2, entry.num_seeds)});
  auto ranks = measured_rank_intervals(scores);
  return std::make_shared<const BoardStand>(BoardStand{board, std::move(entries), std::move(ranks)});
}

}  // namespace

Result<std::shared_ptr<const BoardStand>> BoardCache::stand(const RecordsReader& records,
                                                            const Board& board) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = stands_.find(board.id);
    const bool is_there = known != stands_.end();
    if (is_there && (known->second->board.revision == board.revision || in_making_.contains(board.id)))
      return known->second;
    in_making_.insert(board.id);
  }
  auto made = made_stand(records, board);
  const std::lock_guard lock(mutex_);
  in_making_.erase(board.id);
  if (made.ok()) stands_[board.id] = *made;
  return made;
}

}  // namespace mash::server
