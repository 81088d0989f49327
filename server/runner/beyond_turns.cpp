// SPDX-License-Identifier: Apache-2.0
#include "server/runner/beyond_turns.hpp"

namespace mash::server {
namespace {

// Until a board that has not changed is looked at again: by then an entry may be due that had to wait.
constexpr double kSecondsToNextLook = 60;

}  // namespace

Result<std::optional<BeyondTurns::Turn>> BeyondTurns::next(const RecordsReader& records) {
  MASH_ASSIGN(const std::vector<Board> boards, read_boards(records));
  std::optional<Turn> chosen;
  for (const Board& board : boards) {
    const auto looked = looked_.find(board.id);
    if (looked != looked_.end() && looked->second.revision == board.revision &&
        looked->second.since.seconds() < kSecondsToNextLook)
      continue;
    MASH_ASSIGN(std::vector<WantedBeyond> wanted, read_wanted_beyond(records, board.id));
    std::erase_if(wanted, [&](const WantedBeyond& one) { return left_out_.contains(one.submission_id); });
    if (wanted.empty())
      looked_.insert_or_assign(board.id, NothingDue{board.revision, Stopwatch()});
    else if (!chosen || wanted[0].measured_at < chosen->wanted.measured_at)
      chosen = Turn{board, std::move(wanted[0])};
  }
  return chosen;
}

}  // namespace mash::server
