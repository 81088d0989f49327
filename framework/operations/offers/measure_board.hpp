// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "framework/operations/training/workspace.hpp"
#include "framework/records/boards.hpp"
#include "framework/reports/board_resolution.hpp"

namespace mash {

// Settings for measuring the heuristics of an experiment for the leaderboard.
struct BoardSettings {
  std::string experiment = {};  // a file, or the name of one that comes with the program
  Overrides overrides = {};
  std::optional<std::uint64_t> seed = {};  // the first; nothing: the experiment's
  WorkspaceSettings workspace = {};
  double seconds = 95;  // of all offer tests together, approximately
  std::size_t most_seeds = 128;
};

// Offers every heuristic of an experiment beside the others, as the report of a run does, but the test side
// judges, and to rank them: all with the same seeds up to kRankedSeeds, then those whose ranks are least
// certain with more. Keeps the results in the records, where leaderboards rank by them. It goes on from what
// was kept.
// Trials use only the held-out part, so contributors cannot tune to the test side. Errors (kInput): fewer
// seeds than the first look has, no such experiment, fewer than two heuristics, too few test pictures; those
// of open_workspace and keep_pool_offers; kStopped.
Status measure_board(const BoardSettings& settings, const WorkContext& work);
// The same in a workspace of this experiment. It reads only time and seeds from the settings. REQUIRES: at
// least as many seeds as the first look has.
Status measure_board(Workspace& space, const Experiment& experiment, const BoardSettings& settings,
                     const WorkContext& work);

// Measures what a board of this experiment can tell apart: some of its families are offered beside its others
// (of fewer than four once more beside all), with a few seeds, judged by the test side. Two are offered
// beside all, to know how many pictures the base gets wrong, and that part serves every later offer to the
// board. Errors (kInput): fewer than two families, too few test pictures; those of training and the disk;
// kStopped, where finished trainings stay kept.
Result<BoardResolution> measure_resolution(const Workspace& space, const Experiment& experiment,
                                           const WorkContext& work);
// The same of a server's board, whose private part of the test side judges. Errors: further those of
// open_workspace.
Result<BoardResolution> measure_resolution(const Board& board, const WorkspaceSettings& workspace,
                                           const WorkContext& work);

}  // namespace mash
