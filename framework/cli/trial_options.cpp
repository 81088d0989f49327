// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/trial_options.hpp"

#include "framework/base/program_end.hpp"
#include "framework/base/shell_word.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/operations/experiment/heuristic_settings.hpp"
#include "framework/operations/workshop/check.hpp"

namespace mash {

void TrialOptions::add_to(CLI::App& app) {
  add_setting_option(app, own);
  app.add_option("--against", against,
                 "An experiment file, or the name of one that comes with the program: the heuristic is tried "
                 "beside its heuristics and on its data. Its other settings are not used, except 'features' "
                 "and 'budget' of the sampler laminating [all heuristics, sampler laminating]")
      ->type_name("EXPERIMENT");
  app.add_option("--dataset", dataset,
                 "Data set [mnist where it is found, else the digits of the experiment demo]")
      ->type_name("DATASET");
  add_anyway_option(app, anyway);
  run.add_to(app);
}

std::string TrialOptions::options_of_own() const {
  std::string text;
  for (const std::string& setting : own) text += " --setting " + shell_word(setting);
  return text;
}

std::string TrialOptions::options_of_places() const {
  std::string text;
  for (const std::string& place : run.heuristics) text += " --heuristics " + shell_word(place);
  return text;
}

void TrialOptions::show_failed(const checks::CheckReport& report) const {
  if (run.output.json) print_json(to_json(std::span(&report, 1)));
  if (!run.output.quiet)
    print_error_text(
        fmt::format("{0} is not tried: mash heuristic check {1}{2} shows what is wrong; --anyway tries it\n",
                    harmless(name_of(report)), shell_word(heuristic) + options_of_own() + options_of_places(),
                    run.isolation == Isolation::kBox ? " --isolation box" : ""));
}

Result<TrySettings> TrialOptions::settings() const {
  MASH_ASSIGN(const WorkspaceSettings workspace, run.workspace());
  TrySettings settings;
  settings.heuristic = heuristic;
  MASH_ASSIGN(settings.own, parse_heuristic_settings({own, "--setting"}));
  settings.against = against;
  settings.dataset = dataset;
  settings.seed = run.seed;
  settings.first_seed = first_seed;
  settings.overrides = run.overrides();
  settings.workspace = workspace;
  settings.anyway = anyway;
  return settings;
}

}  // namespace mash
