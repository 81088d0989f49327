// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/operations/training/workspace.hpp"
#include "framework/reproductions/common/report.hpp"

namespace mash {

// The parts of a published table or figure that are to be computed.
struct ReproduceSettings {
  std::string name;                                          // of the table or figure
  std::vector<std::string> methods, beside, sets, learners;  // empty: all (beside: none)
  std::optional<std::uint32_t> num_rounds, num_runs;         // nothing: those of the publication
  bool tune = false, validate = false, grid = false;
  std::optional<std::uint64_t> seed;  // the first; nothing: 1
  Overrides overrides;                // of the experiments
  WorkspaceSettings workspace;
  std::filesystem::path folder;  // for NAME.md, NAME.csv and NAME.svg; empty: they are not written
  std::string command;           // that does the same again, for the files

  std::uint64_t first_seed() const { return seed.value_or(1); }
};

// The experiment of experiments/RECIPE.yaml with the overrides and the seed of the settings.
Result<Experiment> recipe_experiment(const ReproduceSettings& settings, std::string_view recipe);

// The indices of the wanted names among the known ones, in the order in which they are wanted; of all known
// ones where none is named. Errors (kInput): an unknown name. what: "method".
Result<std::vector<std::size_t>> indices_of_wanted(std::string_view what, std::span<const std::string> wanted,
                                                   std::span<const std::string_view> known);

// Tells which of num_steps steps begins. number: from 1.
void tell_step(Remarks& remarks, std::string_view step, std::size_t number, std::size_t total);

// Writes NAME.md, NAME.csv and NAME.svg where files are wanted. Markdown that the report lacks is the usual
// one.
Status write_report(const ReproduceSettings& settings, const ReproductionReport& report);

}  // namespace mash
