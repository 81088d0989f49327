// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "framework/records/boards.hpp"
#include "framework/records/site/beyond.hpp"
#include "framework/records/site/copies.hpp"
#include "framework/records/site/together.hpp"

namespace mash::server {

// A version of a board as it stands: its entries by their expected ranks, each followed by its copies; then
// those without a rank. The ranks that each may have.
struct BoardStand {
  Board board;
  std::vector<BoardEntry> entries;
  std::vector<EntryRank> ranks;          // of each entry
  std::vector<TogetherGain> together;    // of contributors for whom it is measured
  std::vector<EntryBeyond> beyond = {};  // as read_beyond has it
  CopiesRule copies = CopiesRule::kMark;

  // Entries that have a rank: copies, for one, have none.
  std::size_t num_ranked() const;
  // Nothing: not measured, or they have one heuristic.
  const TogetherGain* together_of(std::string_view contributor) const;
  // Nothing: no entry has this number, or its features are another's earlier.
  const EntryBeyond* beyond_of(std::int64_t submission_id) const;
};

// Ranks 1,000 entries once for each change of a board; requests meanwhile get the previous ranking. Sums of
// losses that were read stay, so that a change costs the entries that it changes. [any thread]
class BoardCache {
 public:
  // board: as it is read now; its revision says whether what is kept still holds.
  Result<std::shared_ptr<const BoardStand>> stand(const RecordsReader& records, const Board& board);

 private:
  // A version of a board. making: held by the one request that makes its stand, with its ranks.
  struct Kept {
    std::mutex making = {};
    BoardRanks ranks = {};
    std::shared_ptr<const BoardStand> stand = {};  // guarded by mutex_
  };
  Kept& place_of(std::int64_t board_id);
  std::shared_ptr<const BoardStand> stand_of(const Kept& kept);

  std::mutex mutex_;
  std::map<std::int64_t, Kept> kept_;  // by the id of the version
};

}  // namespace mash::server
