// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "framework/base/rank_intervals.hpp"
#include "framework/records/boards.hpp"

namespace mash::server {

// A version of a board as it stands: its entries by gain, the highest first, and the ranks that each may
// have.
struct BoardStand {
  Board board;
  std::vector<BoardEntry> entries;
  std::vector<RankInterval> ranks;  // of each entry
};

// Ranking 1,000 entries is too slow for a request: it is done once per change of a board; requests meanwhile
// get the previous ranking. [any thread]
class BoardCache {
 public:
  // board: as it is read now; its revision says whether what is kept still holds.
  Result<std::shared_ptr<const BoardStand>> stand(const RecordsReader& records, const Board& board);

 private:
  std::mutex mutex_;
  std::map<std::int64_t, std::shared_ptr<const BoardStand>> stands_;  // by the id of the version
  std::set<std::int64_t> in_making_;
};

}  // namespace mash::server
