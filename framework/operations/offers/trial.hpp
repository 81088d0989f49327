// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/operations/training/contribution_runs.hpp"
#include "framework/operations/training/judges.hpp"
#include "framework/operations/training/workspace.hpp"
#include "framework/operations/workshop/check.hpp"

namespace mash {

// The experiment whose heuristics are the pool where the user names none.
inline constexpr std::string_view kDefaultTrialExperiment = "heuristic-try";

// Settings by which `mash heuristic try` or `mash report` tries a heuristic beside a pool of others.
struct TrySettings {
  std::string heuristic = {};  // what find_named_heuristic takes
  // In the place of a heuristic: a file of columns (docs/columns.md) for the pictures of the data set, which
  // is offered as "columns:NAME".
  std::filesystem::path columns = {};
  Settings own = {};         // settings of the heuristic, in place of those that the experiment has for it
  std::string against = {};  // the experiment whose heuristics are the pool: a file, or the name of one that
                             // comes with the program; empty: all heuristics, half a run's usual budget
  std::string dataset = {};  // in place of the experiment's; empty, without `against`: mnist, else the demo's
  // Whether the data set has the settings of `overrides` alone, also where the experiment has the same one.
  bool is_dataset_alone = false;
  std::uint32_t seeds = 5;                 // of each set of families; of an offer test at most
  std::optional<std::uint64_t> seed = {};  // of the experiment, in place of its own
  // The first seed of the trainings; the data and the families stay those of the experiment's seed. Nothing:
  // that one.
  std::optional<std::uint64_t> first_seed = {};
  Overrides overrides = {};  // of the experiment
  WorkspaceSettings workspace = {};
  bool anyway = false;         // also a heuristic that fails its checks
  bool shows_commands = true;  // that repeat it; false where its files are gone by then, as on a server
  std::shared_ptr<const Dataset> pictures = {};  // in the place of the data set, where the caller has them
};

// By an offer test: `mash heuristic try`, and `mash report` of a heuristic.
struct OfferTrySettings : TrySettings {
  double seconds = 60;  // of the test, about
  Judges judges = Judges::kHeldOut;
  // The family for find_replaced: the test asks too whether the heuristic could replace it, in as many
  // seconds again.
  std::optional<std::string> replace = {};
  // The test goes on until half the interval is at most this, in per cent of the log-loss.
  std::optional<double> precision = {};
  bool for_a_board = false;  // one look at all `seeds`, no matter what they say, as board_look has it
};

// By whole trainings: `mash heuristic try --exhaustive`.
struct ExhaustiveTrySettings : TrySettings {
  std::uint32_t rounds = 100;  // of each training
};

// A member of a group that was to stand in the pool and could not.
struct LeftOutMember {
  std::size_t member_idx = 0;
  std::string reason;
};

// A trial before its trainings: all that it reads and opens, for any number of tests.
struct TrialSetup {
  Stopwatch watch;  // since its data were loaded
  Experiment experiment;
  HeuristicInfo heuristic;
  Workspace space;
  FamilyGroup newcomer;               // the heuristic's families in the workspace
  std::vector<Neighbour> neighbours;  // the pool's families, nearest first, compared with all columns of the
                                      // newcomer together; family_idx: among the pool's in their order
  std::uint64_t first_seed = 1;       // of its trainings
  std::vector<std::uint64_t> seeds;
  std::vector<LeftOutMember> left_out = {};  // of a group
};

// A heuristic that was found and checked, and the experiment to try it in, before any data are loaded.
struct OpenedTrial {
  Experiment experiment;  // names the heuristic
  Catalogue catalogue;
  HeuristicInfo heuristic;
};

// Reads the experiment, finds the heuristic of the settings, builds it where needed and checks it. variants:
// settings that it has to have and take. Errors: as prepare_trial, except those of open_workspace; a setting
// that it does not have, or a value that it does not take (kInput).
Diagnosed<OpenedTrial> open_trial(const TrySettings& settings, std::span<const Settings> variants,
                                  const WorkContext& work, const OnFailedChecks& on_failed);

// Errors (kInput): the data set is a table.
Status check_has_images(const Dataset& dataset, const Experiment& experiment);

// The families of the trial, those of the heuristic by its own settings among them. Errors (kInput): those of
// family_specs and with_variants.
Result<std::vector<FamilySpec>> families_of_trial(const TrySettings& settings, const OpenedTrial& trial);

// Opens its workspace, with these families instead of the experiment's where there are any; the experiment
// lists them then. Errors (kInput):
// a data set without images; those of open_workspace.
Result<Workspace> open_trial_workspace(const TrySettings& settings, OpenedTrial& trial,
                                       std::optional<std::vector<FamilySpec>> families,
                                       const WorkContext& work);

// Reads the experiment, finds the heuristic of the settings, builds it where needed, checks it and opens the
// workspace of the trial. Errors: those of find_named_heuristic, check_before_trial and
// prepare_checked_trial.
Diagnosed<TrialSetup> prepare_trial(const TrySettings& settings, const WorkContext& work,
                                    const OnFailedChecks& on_failed);

// The same of an opened trial. families: as of open_trial_workspace; nothing: families_of_trial.
Result<TrialSetup> prepare_opened_trial(const TrySettings& settings, OpenedTrial trial,
                                        const WorkContext& work,
                                        std::optional<std::vector<FamilySpec>> families = {});

// The same of a heuristic that was found and checked. named: settings.heuristic, found. Errors (kInput): no
// such heuristic or experiment, a data set without images; those of open_workspace.
Result<TrialSetup> prepare_checked_trial(const TrySettings& settings, const NamedHeuristic& named,
                                         const WorkContext& work);

// kOffered: the families of all such members together are the newcomer. kPool: they stand in the pool, beside
// those of the experiment.
enum class GroupPart { kOffered, kPool };
// A heuristic that was found and checked, with the settings that it is to have.
struct GroupMember {
  NamedHeuristic named;
  Settings own = {};
  GroupPart part = GroupPart::kOffered;
};
// The same of several heuristics. settings: heuristic and own are not looked at. A member of the pool whose
// plugin does not open here, which does not take its settings, or whose features cannot be computed, is left
// out (TrialSetup::left_out). Errors also (kInput): two members have the same id. REQUIRES: a member that is
// offered.
Result<TrialSetup> prepare_checked_group(const TrySettings& settings, std::span<const GroupMember> members,
                                         const WorkContext& work);

}  // namespace mash
