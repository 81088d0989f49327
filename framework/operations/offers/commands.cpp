// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/commands.hpp"

#include "framework/base/shell_word.hpp"
#include "framework/operations/experiment/recipes.hpp"
#include "framework/operations/offers/run_offer.hpp"

namespace mash {
namespace {

std::string option(std::string_view name, std::string_view value) {
  return fmt::format(" --{} {}", name, shell_word(std::string(value)));
}

std::string own_settings(const Settings& settings) {
  std::string text;
  for (const Settings::Entry& entry : settings.entries())
    text += option("setting", fmt::format("{}={}", entry.key, entry.value));
  return text;
}

// The data set with all settings that the caller did not give, which other machines or programs would not
// choose by themselves. Those of the caller follow with the other overrides.
std::string data_of(const TrySettings& settings, const NamedSettings& dataset) {
  if (!settings.against.empty()) return settings.dataset.empty() ? "" : option("dataset", dataset.name);
  std::string text = option("dataset", dataset.name);
  for (const Settings::Entry& entry : dataset.settings.entries())
    if (entry.origin == Origin::kFile)
      text += option("set", fmt::format("dataset.{}={}", entry.key, entry.value));
  return text;
}

// Which heuristic is tried, beside what and on what.
std::string trial_of(const TrySettings& settings, const NamedSettings& dataset) {
  std::string what = settings.columns.empty() ? shell_word(settings.heuristic) + own_settings(settings.own)
                                              : "--columns " + shell_word(settings.columns.string());
  if (!settings.against.empty()) what += option("against", settings.against);
  what += data_of(settings, dataset);
  if (settings.seed) what += fmt::format(" --seed {}", *settings.seed);
  if (settings.first_seed) what += fmt::format(" --first-seed {}", *settings.first_seed);
  for (const std::string& text : settings.overrides.texts) what += option("set", text);
  what += options_of(settings.workspace);
  return settings.anyway ? what + " --anyway" : what;
}

}  // namespace

std::string options_of_plugins(const WorkspaceSettings& settings) {
  std::string text;
  for (const std::string& place : settings.heuristics) text += option("heuristics", place);
  return text;
}

std::string options_of(const WorkspaceSettings& settings) {
  std::string text = options_of_plugins(settings);
  if (!settings.database.empty()) text += option("db", settings.database.string());
  if (!settings.store.empty()) text += option("store", settings.store.string());
  if (settings.strict) text += " --strict";
  return text;
}

std::vector<std::string> commands_of_trial(const OfferTrySettings& settings, const NamedSettings& dataset) {
  const std::string what = trial_of(settings, dataset) +
                           fmt::format(" --seeds {} --seconds {:g}", settings.seeds, settings.seconds);
  return {"mash heuristic check " + shell_word(settings.heuristic) + own_settings(settings.own) +
              options_of_plugins(settings.workspace),
          "mash heuristic try " + what, "mash report " + what};
}

std::string command_of_try(const TrySettings& settings, const NamedSettings& dataset) {
  return "mash heuristic try " + trial_of(settings, dataset);
}

std::string command_of_replacing(const OfferTrySettings& settings, const NamedSettings& dataset,
                                 std::string_view replaced) {
  const OfferTestSettings usual;
  std::string command = command_of_try(settings, dataset) + option("replace", replaced);
  if (settings.seeds != (settings.precision ? kSeedsForPrecision : kUsualSeeds))
    command += fmt::format(" --seeds {}", settings.seeds);
  if (settings.precision) command += fmt::format(" --precision {:g}", *settings.precision);
  if (settings.judges == Judges::kTest) command += option("judge", "test");
  if (settings.seconds != usual.seconds) command += fmt::format(" --seconds {:g}", settings.seconds);
  return command;
}

std::string command_of_best(TrySettings settings, const Settings& best, const NamedSettings& dataset,
                            std::uint64_t first_seed) {
  settings.own = best;
  settings.first_seed = first_seed;
  return command_of_try(settings, dataset);
}

std::string command_of_offer(const OfferRow& offer, const std::filesystem::path& database) {
  const bool is_default = offer.experiment == kDefaultTrialExperiment;
  // The records have the name of an experiment, not its file.
  const std::string against = offer.experiment + (find_recipe(offer.experiment) ? "" : ".yaml");
  std::string command = fmt::format("mash heuristic try FILE{}{} --seed {} --seeds {}",
                                    is_default ? "" : option("against", against),
                                    option("dataset", offer.dataset), offer.first_seed, offer.num_seeds);
  if (!database.empty()) command += option("db", database.string());
  return command;
}

}  // namespace mash
