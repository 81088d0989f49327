// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/cli/experiment.hpp"
#include "framework/cli/options.hpp"
#include "framework/reproductions/reproduction_report.hpp"

namespace mash {

// What the user of `mash reproduce` asked for.
struct ReproduceOptions {
  RunOptions run;
  std::string name;                               // of the table or figure
  std::string folder;                             // for the files; empty: none
  std::string methods, beside, sets, learners;    // lists with commas; empty: all (beside: none)
  std::optional<std::uint32_t> num_rounds, runs;  // where given
  bool tune = false, validate = false, grid = false, errata = false;
  std::string command;  // that would do the same again

  std::uint64_t seed() const { return run.seed.value_or(1); }
  std::uint32_t num_runs(std::uint32_t fallback) const { return runs.value_or(fallback); }
};

// The kinds of tables and figures. Each trains what the records lack, calls show_report and, where it takes
// long, write_report in between.
Status reproduce_sampling_table(const ReproduceOptions& options);    // table1, table2, table4
Status reproduce_bandit_table(const ReproduceOptions& options);      // bandit-table1
Status reproduce_edge_figure(const ReproduceOptions& options);       // figure1
Status reproduce_gap_figure(const ReproduceOptions& options);        // figure2
Status reproduce_selection_figure(const ReproduceOptions& options);  // figure3

// The experiment of experiments/RECIPE.yaml with the overrides and the seed of the user.
Result<Experiment> recipe_experiment(const ReproduceOptions& options, std::string_view recipe);

// The places of the names in a list with commas among the known ones, in the order of the list; all of them
// for an empty list. Errors (kInput): an unknown name. option: "--methods"; what: "method".
Result<std::vector<std::size_t>> chosen(std::string_view option, std::string_view what,
                                        const std::string& list, std::span<const std::string_view> known);

// Tells on stderr which of so many steps begins, unless the user wants quiet.
void announce(const ReproduceOptions& options, std::string_view step, std::size_t number, std::size_t total);

// The error of a training that the user stopped.
Error stopped_error();

// Writes NAME.md, NAME.csv and NAME.svg where the user asked for files. Markdown that the report lacks is the
// usual one.
Status write_report(const ReproduceOptions& options, const ReproductionReport& report);
// Writes them and prints: the table as JSON, or as text with the remarks below.
Status show_report(const ReproduceOptions& options, const ReproductionReport& report);

}  // namespace mash
