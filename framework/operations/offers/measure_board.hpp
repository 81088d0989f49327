// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "framework/operations/training/workspace.hpp"

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
// judges. Keeps the results in the records, where leaderboards rank by them. It goes on from what was kept.
// Trials use only the held-out part, so contributors cannot tune to the test side. Errors (kInput): fewer
// seeds than the first look has, no such experiment, fewer than two heuristics, too few test pictures; those
// of open_workspace and keep_pool_offers; kStopped.
Status measure_board(const BoardSettings& settings, const WorkContext& work);
// The same in a workspace of this experiment. It reads only time and seeds from the settings. REQUIRES: at
// least as many seeds as the first look has.
Status measure_board(Workspace& space, const Experiment& experiment, const BoardSettings& settings,
                     const WorkContext& work);

}  // namespace mash
