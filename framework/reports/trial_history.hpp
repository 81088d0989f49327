// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/records/records.hpp"
#include "framework/reports/heuristic_trial.hpp"

namespace mash {

// An earlier measurement of a heuristic.
struct PastTrial {
  std::string measured_at, version, settings, plugin_sha256;
  std::uint32_t rounds = 0;
  std::size_t num_seeds = 0, pool_size = 0;
  Estimate gain, alone_error;
};

// Test errors on changed pictures, with models of the first seed.
struct RobustnessPoint {
  double amount = 0;                         // 0: unchanged
  double error_without = 0, error_with = 0;  // fractions
};
struct RobustnessCurve {
  std::string kind;  // "rotation"
  std::string unit;  // "degrees"
  std::vector<RobustnessPoint> points;
};

// What a trial is known by in the records.
struct TrialIdentity {
  std::string key;                 // equal for equal measurements
  std::int64_t experiment_id = 0;  // of the first seed's training with the heuristic
  std::string plugin_sha256;
};

// Keeps the figures of a trial; those of the same key are replaced, the time of the first measurement stays.
Status keep_trial(Records& records, const TrialIdentity& identity, const HeuristicTrial& trial);
// The trials of a heuristic on the data set of that experiment, oldest first.
Result<std::vector<PastTrial>> past_trials(Records& records, const std::string& heuristic,
                                           std::int64_t experiment_id);

// Replaces what is kept. REQUIRES: the trial is kept.
Status keep_robustness(Records& records, const std::string& trial_key,
                       std::span<const RobustnessCurve> curves);
// Empty where none was kept; without units, in no order of kinds.
Result<std::vector<RobustnessCurve>> kept_robustness(Records& records, const std::string& trial_key);

}  // namespace mash
