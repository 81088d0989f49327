// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/render/page.hpp"
#include "server/http/frame/visit.hpp"

// A heuristic with all its versions, as the visitor may see them.
namespace mash::server {

struct HeuristicVersion {
  Submission submission;                  // without its source
  std::optional<BoardEntry> judged = {};  // nothing: it was not judged (yet), or is removed
  std::string board = {};
  std::int64_t board_version = 0;
  // Another run of one on the same version of the board, whose figures are those of the first.
  bool is_repeat = false;

  bool is_removed() const { return !submission.removed_why.empty(); }
  // Whether its figures are worth a line of their own.
  bool counts() const { return judged && !is_repeat; }
};

// The place of a heuristic on a board.
struct HeuristicPlace {
  std::shared_ptr<const BoardStand> stand;
  std::size_t entry_idx = 0;

  const BoardEntry& entry() const { return stand->entries[entry_idx]; }
  const EntryRank& rank() const { return stand->ranks[entry_idx]; }
};

struct HeuristicHistory {
  std::string id;
  Board board;                             // the newest version of the one that is asked for
  std::optional<HeuristicPlace> place;     // nothing: only former versions of the board have it
  std::vector<std::string> boards;         // names of all that have it, in their order
  std::vector<HeuristicVersion> versions;  // of all boards, the newest first

  // The one that stands on the board, or stood there last; nothing where all are removed.
  const HeuristicVersion* newest() const;
  // The newest judged one of that version on this board.
  const HeuristicVersion* find_version(std::string_view version) const;
  const HeuristicVersion* find_submission(std::int64_t id) const;
};

// board: empty: the first that has it. Nothing where the board does not have it, or no version of it was
// published.
Result<std::optional<HeuristicHistory>> find_heuristic(const Visit& visit, const std::string& id,
                                                       std::string_view board);

// Where it stands on that board, or on the first that has it.
Result<std::optional<HeuristicPlace>> find_place(const Visit& visit, std::string_view id,
                                                 std::string_view board);

// "+1.2 ± 0.3 %".
std::string gain_text(const MeasuredGain& measured);
// The gain beside all others of its board, as a figure of a page.
page::KeyFigure beyond_figure(const BoardStand& stand, std::int64_t submission_id);

}  // namespace mash::server
