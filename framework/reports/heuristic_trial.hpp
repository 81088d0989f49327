// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "framework/analysis/family_contribution.hpp"
#include "framework/records/trials.hpp"

namespace mash {

// A short trial of a heuristic beside those that are there, as `mash heuristic try --exhaustive` shows it.
struct HeuristicTrial {
  std::string heuristic, version, settings;
  std::string experiment;  // that it was tried in
  std::string dataset;
  std::size_t num_train = 0, num_test = 0;
  std::vector<std::string> class_names;
  std::uint32_t rounds = 0;
  std::vector<std::uint64_t> seeds;
  std::string sampler;  // "laminating, budget 5, features 128"
  NewcomerContribution contribution;
  std::vector<double> pool_microseconds;       // per image, of each family of the pool
  std::vector<std::string> warnings;           // of plugins and data that are not as expected
  double extract_seconds = 0;                  // 0 where the features were in the store
  double seconds = 0;                          // of everything
  std::size_t num_trained = 0, num_found = 0;  // trainings: now, and taken from the records
};

// What the figures say of the heuristic: diagnose() and whether it adds, most important first, a line each.
std::vector<std::string> verdict(const HeuristicTrial& trial);
// What to try next: one or two sentences.
std::string advice(const HeuristicTrial& trial);

// As it goes into the records; key, experiment and plugin are for the caller to fill in.
TrialRow trial_row(const HeuristicTrial& trial);

// One screen: the figures, then the verdict and what to try next.
std::string render_text(const HeuristicTrial& trial);
// The figures alone.
std::string render_figures(const HeuristicTrial& trial);
// Every figure; errors, gains and shares are fractions.
nlohmann::ordered_json to_json(const HeuristicTrial& trial);

}  // namespace mash
