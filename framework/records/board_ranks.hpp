// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "framework/base/loss_sums.hpp"
#include "framework/records/boards.hpp"

namespace mash {

// Where an entry stands on its board.
struct EntryRank {
  // Ranks that it may have (RankSet::own); together: sets that hold the ranks of all entries at once.
  // Nothing: it has no rank of its own, as it is a copy, no gain may be told, or it was measured by a former
  // procedure.
  std::optional<RankInterval> own = {}, together = {};
  double expected = 0;                       // REQUIRES: own
  std::optional<std::int64_t> copy_of = {};  // the submission whose features it has, to the bit
  bool is_measured_before = false;           // by a former procedure: its gain is not set beside the others'
};

// The ranks of a board's entries, from sums of their losses, which are read once. Entries share judges and
// seeds, so they are told apart by paired differences; with different numbers of seeds, by those that both
// have. Where a Ladder withholds gains, ranks follow from the released ones alone: others would tell of the
// hidden pictures what it withholds.
class BoardRanks {
 public:
  // entries: of the board, as read_board_entries gives them. Errors: the database.
  Result<std::vector<EntryRank>> ranks(const RecordsReader& records, const Board& board,
                                       std::span<const BoardEntry> entries);

 private:
  // All that was measured with one number of seeds.
  struct Level {
    LossTable table;
    std::map<std::int64_t, std::size_t> places;  // of submissions
  };

  Status learn(const RecordsReader& records, std::span<const BoardEntry> entries);
  bool is_known(std::int64_t submission_id) const;
  PairDifference difference(std::int64_t one, std::int64_t other) const;

  std::map<std::size_t, Level> levels_;  // by the number of seeds
};

// The entry that is to be measured with more seeds first: one that was measured by a former procedure, the
// oldest first; else that with the most ranks that it may have, of equal ones the best. Nothing where each
// has one rank, or kMostBoardSeeds. most_seeds: no entry is measured with more. ranks: of entries.
std::optional<std::size_t> least_certain(std::span<const BoardEntry> entries,
                                         std::span<const EntryRank> ranks, std::size_t most_seeds);

}  // namespace mash
