// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/heuristic.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/trial_options.hpp"

namespace mash {
namespace {

Status try_one(const TrialOptions& options) {
  const CommandWork work(options.run.output, options.run.num_threads);
  MASH_ASSIGN(const TrialSettings settings, options.settings());
  MASH_ASSIGN(const HeuristicTrial trial,
              options.run.output.result_of(try_heuristic(
                  settings, work.context(), [&](const auto& report) { options.show_failed(report); })));
  if (options.run.output.json)
    print_json(to_json(trial));
  else
    fmt::print("{}", render_text(trial));
  return Done{};
}

}  // namespace

Subcommand add_heuristic_try(CLI::App& parent) {
  const auto options = std::make_shared<TrialOptions>();
  CLI::App* app = parent.add_subcommand(
      "try", "Train briefly with and without a heuristic: what it adds, where, and what to try next");
  add_heuristic_argument(*app, options->heuristic)->required();
  options->add_to(*app);
  app->footer(
      "Examples:\n  mash heuristic try my-heuristic\n"
      "  mash heuristic try hog --dataset digits --set dataset.train=2000\n"
      "  mash heuristic try ./mine.so --against demo --rounds 500\n"
      "Features and trainings are kept: a second trial, of another version or with more seeds, takes from "
      "them\n"
      "what it can.");
  return {app, [options] { return try_one(*options); }};
}

}  // namespace mash
