// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "framework/base/progress.hpp"
#include "framework/cli/contribution_runs.hpp"
#include "framework/cli/options.hpp"
#include "framework/cli/run_experiment.hpp"
#include "framework/reports/heuristic_trial.hpp"

namespace mash {

// "laminating, budget 5, features 128"
std::string describe(const NamedSettings& part);

// How a heuristic is to be tried beside a pool.
struct TrialOptions {
  RunOptions run;
  std::string heuristic;  // file or id; not among the options of add_to
  std::string against, dataset;
  std::uint32_t rounds = 100, seeds = 5;

  void add_to(CLI::App& app);
};

// A heuristic that was trained with and without the others of an experiment, and what that was done with.
struct Trial {
  // Compiles, loads and trains what is needed. Errors: no such heuristic or experiment, a data set without
  // images (kInput); those of compiling, training and of the records.
  static Result<std::unique_ptr<Trial>> make(const TrialOptions& options, Progress& progress);

  TrialOptions options;  // as they were given
  RunOptions run = {};   // with the plugin among the heuristics; what follows refers to it
  Experiment experiment = {};
  HeuristicInfo heuristic = {};
  std::unique_ptr<ExperimentData> data = {};
  FamilyGroup newcomer = {};
  ContributionSettings settings = {};
  std::optional<SubsetTrainer> trainer = {};
  NewcomerAnalysis analysis = {};
  HeuristicTrial summary = {};

 private:
  void summarise(const Stopwatch& watch);
};

}  // namespace mash
