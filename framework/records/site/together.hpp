// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/records/boards.hpp"
#include "framework/records/submissions.hpp"

// The gains of all heuristics of a contributor together, beside the base of a board.
namespace mash {

// Those of a contributor's entries on a board whose features are nobody's earlier, to the bit.
struct TogetherMembers {
  std::int64_t user_id = 0;
  std::string contributor = {};
  std::vector<std::int64_t> submission_ids = {};  // increasing; two at least

  bool operator==(const TogetherMembers&) const = default;
};

// The contributors with two such entries at least whose gain together is not measured by the procedure of
// this program, as they are now; by their first entries.
Result<std::vector<TogetherMembers>> read_unmeasured_together(const RecordsReader& records,
                                                              std::int64_t board_id);

// The figures that are told of the entries of one contributor.
struct TogetherGain : MeasuredGain {
  std::string contributor = {};
  std::size_t num_heuristics = 0;
  std::string measured_at = {};
  bool is_current = false;  // these are their entries now
};
// The last that was measured of each contributor who has two such entries now; by their names.
Result<std::vector<TogetherGain>> read_together(const RecordsReader& records, std::int64_t board_id);

// Keeps what was measured; nothing where another runner has measured the same meanwhile. On a Ladder it is
// told as release_figures has it, beside the best that was told of this contributor on this version of the
// board before.
Status keep_together(Records& records, const Board& board, const TogetherMembers& members,
                     const Judgement& judgement);

}  // namespace mash
