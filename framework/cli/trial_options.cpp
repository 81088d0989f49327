// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/trial_options.hpp"

namespace mash {

void TrialOptions::add_to(CLI::App& app) {
  app.add_option(
         "--against", against,
         "The experiment whose heuristics it is tried beside, and whose settings are used: a file, or "
         "the name of one that comes with the program [all heuristics, sampler laminating]")
      ->type_name("EXPERIMENT");
  app.add_option("--dataset", dataset, "Data set [mnist where it is found, else the generated digits]")
      ->type_name("NAME");
  app.add_option("--rounds", rounds, "Rounds of each training")
      ->type_name("N")
      ->check(within(1, 10'000'000))
      ->capture_default_str();
  app.add_option("--seeds", seeds, "How many seeds each set of heuristics is trained with")
      ->type_name("N")
      ->check(within(1, 1000))
      ->capture_default_str();
  run.add_to(app);
}

Result<TrialSettings> TrialOptions::settings() const {
  MASH_ASSIGN(const WorkspaceSettings workspace, run.workspace());
  return TrialSettings{heuristic, against, dataset, rounds, seeds, run.seed, run.overrides(), workspace};
}

}  // namespace mash
