// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/heuristic.hpp"
#include "framework/cli/heuristic_report_run.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/trial.hpp"

namespace mash {
namespace {

Status try_heuristic(const TrialOptions& options) {
  const auto progress = options.run.output.progress();
  MASH_ASSIGN(const auto trial, Trial::make(options, *progress));
  MASH_TRY(keep_trial(*trial));
  if (options.run.output.json)
    print_json(to_json(trial->summary));
  else
    fmt::print("{}", render_text(trial->summary));
  return Done{};
}

}  // namespace

Subcommand add_heuristic_try(CLI::App& parent) {
  const auto options = std::make_shared<TrialOptions>();
  CLI::App* app = parent.add_subcommand(
      "try", "Train briefly with and without a heuristic: what it adds, where, and what to try next");
  app->add_option("HEURISTIC", options->heuristic,
                  "A plugin (FILE.so), or the id of one that is found; the others are the pool that it is "
                  "tried beside")
      ->required();
  options->add_to(*app);
  app->footer(
      "Examples:\n  mash heuristic try build/my-heuristic.so\n"
      "  mash heuristic try hog --dataset digits --set dataset.train=2000\n"
      "  mash heuristic try ./mine.so --against demo --rounds 500\n"
      "Features and trainings are kept: trying again, with another version or more seeds, takes what is "
      "there.");
  return {app, [options] { return try_heuristic(*options); }};
}

}  // namespace mash
