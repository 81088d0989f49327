// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/operations/offers/contribution_runs.hpp"
#include "framework/operations/training/judges.hpp"
#include "framework/operations/training/workspace.hpp"
#include "framework/operations/workshop/check.hpp"

namespace mash {

// The experiment whose heuristics are the pool where the user names none.
inline constexpr std::string_view kDefaultTrialExperiment = "heuristic-try";

// Settings for trying a heuristic beside a pool of others.
struct TrialSettings {
  std::string heuristic = {};  // what find_named_heuristic takes
  std::string against = {};  // the experiment whose heuristics are the pool: a file, or the name of one that
                             // comes with the program; empty: all heuristics, half a run's usual budget
  std::string dataset = {};  // in place of the experiment's; empty, without `against`: mnist, else the demo's
  std::uint32_t rounds = 100, seeds = 5;   // of each training; of each set of families
  std::optional<std::uint64_t> seed = {};  // the first; nothing: the experiment's
  Overrides overrides = {};                // of the experiment
  WorkspaceSettings workspace = {};
  bool anyway = false;               // try also a heuristic that fails its checks
  double seconds = 60;               // of an offer test, about
  Judges judges = Judges::kHeldOut;  // of an offer test
  // The name for find_replaced. With it, the offer test also asks whether the heuristic could replace this
  // family, and takes the same number of seconds again.
  std::optional<std::string> replace = {};
};

// A trial before its trainings, with all that it reads and opens. It serves any number of tests.
struct TrialSetup {
  Stopwatch watch;  // since its data were loaded
  Experiment experiment;
  HeuristicInfo heuristic;
  Workspace space;
  FamilyGroup newcomer;               // the heuristic's families in the workspace
  std::vector<Neighbour> neighbours;  // the pool's families, nearest first, compared with all columns of the
                                      // newcomer together; family_idx: among the pool's in their order
  std::uint32_t rounds = 0;           // of each training
  std::vector<std::uint64_t> seeds;
};

// Reads the experiment, finds the heuristic of the settings, builds it where needed, checks it and opens the
// workspace of the trial. Errors: those of find_named_heuristic, check_before_trial and
// prepare_checked_trial.
Diagnosed<TrialSetup> prepare_trial(const TrialSettings& settings, const WorkContext& work,
                                    const OnFailedChecks& on_failed);

// The same for a heuristic that was found and checked already. named: what settings.heuristic was found to
// be. Errors (kInput): no such heuristic or experiment, a data set without images; those of open_workspace.
Result<TrialSetup> prepare_checked_trial(const TrialSettings& settings, const NamedHeuristic& named,
                                         const WorkContext& work);

}  // namespace mash
