// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/records/boards.hpp"
#include "framework/records/submissions.hpp"

// Gains of entries beside the base of a board and all other entries. Two of them are beside two pools, so
// they have no ranks.
namespace mash {

// A measurement that an entry lacks. Entries whose features are another's earlier, to the bit, have none, and
// stand in no pool.
struct WantedBeyond {
  std::int64_t submission_id = 0;
  std::vector<std::int64_t> others = {};  // submissions of the other entries, increasing; one at least
  std::string measured_at = {};           // the last time, beside any others; empty: never

  bool operator==(const WantedBeyond&) const = default;
};
// Those of a board now by the procedure of this program, in their order: first entries that were never
// measured, in the order of their submissions; then those that were measured beside others than these, the
// oldest measurement first. An entry that was measured in the last 24 hours waits, so that a board does not
// cost a runner all of its time.
Result<std::vector<WantedBeyond>> read_wanted_beyond(const RecordsReader& records, std::int64_t board_id);

// The figures that are told of one measurement.
struct BeyondGain : MeasuredGain {
  std::size_t num_others = 0;    // that stood in the pool beside the base
  std::size_t num_left_out = 0;  // that were to stand there, and could not
  std::string measured_at = {};
  bool is_current = false;  // these are the other entries now
};
struct EntryBeyond {
  std::int64_t submission_id = 0;
  std::size_t num_others = 0;  // on the board now
  // Beside the others as they are now, else the last one; nothing: not measured yet, or there are no others,
  // and it would be the gain itself.
  std::optional<BeyondGain> gain = {};
};
// One for each entry whose features are nobody's earlier, in the order of their submissions.
Result<std::vector<EntryBeyond>> read_beyond(const RecordsReader& records, std::int64_t board_id);

// Keeps what was measured; nothing where another runner has measured the same meanwhile, or the submission
// stands on the board no longer. left_out: of the others, those that could not stand in the pool. On a Ladder
// it is told as release_figures has it, beside the best that was told of this heuristic beside the same
// others: beside others the question is another one.
Status keep_beyond(Records& records, const Board& board, const WantedBeyond& wanted,
                   const Judgement& judgement, std::span<const std::int64_t> left_out);

}  // namespace mash
