// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "framework/base/progress.hpp"
#include "framework/records/site/beyond.hpp"

namespace mash::server {

// Chooses the entry that is measured next beside the others of its board.
class BeyondTurns {
 public:
  struct Turn {
    Board board;
    WantedBeyond wanted;
  };
  // The next of all boards: an entry that was never measured so, else the one whose measurement is the oldest
  // (read_wanted_beyond). Nothing: none is due. Errors: the database.
  Result<std::optional<Turn>> next(const RecordsReader& records);
  // A submission that cannot be measured here gets no further turn.
  void leave_out(std::int64_t submission_id) { left_out_.insert(submission_id); }

 private:
  // A look at a board on which no entry was due.
  struct NothingDue {
    std::int64_t revision = 0;
    Stopwatch since = {};
  };
  std::map<std::int64_t, NothingDue> looked_;  // by the numbers of boards
  std::set<std::int64_t> left_out_;
};

}  // namespace mash::server
