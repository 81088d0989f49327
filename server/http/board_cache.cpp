// SPDX-License-Identifier: Apache-2.0
#include "server/http/board_cache.hpp"

#include <algorithm>

namespace mash::server {

Result<std::shared_ptr<const BoardStand>> BoardCache::stand(const RecordsReader& records,
                                                            const Board& board) {
  // Those who come while it is made wait for it, rather than make it too.
  const std::lock_guard lock(mutex_);
  const auto known = stands_.find(board.id);
  if (known != stands_.end() && known->second->board.revision == board.revision) return known->second;
  MASH_ASSIGN(std::vector<BoardEntry> entries, read_board_entries(records, board.id));
  std::vector<MeasuredScore> scores;
  for (const BoardEntry& entry : entries)
    scores.push_back({entry.gain, entry.standard_error, std::max<std::size_t>(2, entry.num_seeds)});
  auto ranks = measured_rank_intervals(scores);
  const auto stand =
      std::make_shared<const BoardStand>(BoardStand{board, std::move(entries), std::move(ranks)});
  stands_[board.id] = stand;
  return stand;
}

}  // namespace mash::server
