// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/base/statistics.hpp"
#include "framework/records/records.hpp"

namespace mash {

// What was measured of a heuristic beside a pool of others. Errors, gains and shares are fractions.
struct TrialRow {
  std::string key;          // equal for equal measurements
  std::int64_t run_id = 0;  // of the first seed's training with the heuristic
  std::string heuristic, version, plugin_sha256, settings;
  std::uint32_t rounds = 0;
  std::size_t num_seeds = 0, pool_size = 0;
  Estimate alone_error;  // trained with it alone
  Estimate gain;         // by which the test error of the pool falls with it
  double margin_share = 0;
  double importance = 0, importance_se = 0;  // by permutation
  std::optional<double> shapley, shapley_se;
};

// Keeps the figures of a trial; those of the same key are replaced, the time of the first measurement stays,
// and so does a Shapley value where there is no new one.
Status keep_trial(Records& records, const TrialRow& trial);

// An earlier measurement of a heuristic.
struct PastTrial {
  std::string measured_at, version, settings, plugin_sha256;
  std::uint32_t rounds = 0;
  std::size_t num_seeds = 0, pool_size = 0;
  Estimate gain, alone_error;
};
// The trials of a heuristic on the data set of that run, oldest first.
Result<std::vector<PastTrial>> past_trials(const RecordsReader& records, const std::string& heuristic,
                                           std::int64_t run_id);

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
// Replaces what is kept. REQUIRES: the trial is kept.
Status keep_robustness(Records& records, const std::string& trial_key,
                       std::span<const RobustnessCurve> curves);
// Empty where none was kept; without units, in no order of kinds.
Result<std::vector<RobustnessCurve>> kept_robustness(const RecordsReader& records,
                                                     const std::string& trial_key);

}  // namespace mash
