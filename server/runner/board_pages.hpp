// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/work_context.hpp"
#include "framework/records/boards.hpp"
#include "server/runner/judging.hpp"

// The site's pages on a board itself: pages that need nothing but themselves and documents, in the records
// (put_board_page):
//
//   dataset.json                     what its pictures are
//   resolution.json                  what it can tell apart (BoardResolution)
//   uncovered.html, uncovered.json   what none of its heuristics covers (uncovered.hpp)
//   experiment.html, experiment.json its own experiment, trained once
//
// No picture of the test side is in them.
namespace mash::server {

Result<bool> has_board_pages(const RecordsReader& records, std::int64_t board_id);

// Makes those that are missing, and before the first ones trains what offers to the board begin with. Returns
// whether they are all there: not where another runner is at it. Errors: those of open_workspace, of the
// store and of the database; kStopped: what was done is kept, and it goes on there.
Result<bool> make_board_pages(const Board& board, const JudgingPlaces& places, const WorkContext& work);

}  // namespace mash::server
