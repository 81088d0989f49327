// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/cli/options.hpp"
#include "framework/operations/offers/trial.hpp"

namespace mash {

// How a heuristic is to be tried beside others, for `mash heuristic try` and `mash report`.
struct TrialOptions {
  RunOptions run;
  std::string heuristic;         // not among the options of add_to
  std::vector<std::string> own;  // --setting
  std::string against, dataset;
  std::optional<std::uint64_t> first_seed;  // likewise
  bool anyway = false;

  void add_to(CLI::App& app);
  // How long it may take is for the caller to say. Errors: those of RunOptions::workspace and
  // parse_heuristic_settings.
  Result<TrySettings> settings() const;
  // " --setting levels=8", " --heuristics mine", as they were given.
  std::string options_of_own() const;
  std::string options_of_places() const;
  // Shows why a heuristic is not tried: with --json the document of `mash heuristic check`.
  void show_failed(const checks::CheckReport& report) const;
};

}  // namespace mash
