// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/held_settings.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/experiment/strategies.hpp"

namespace mash {
namespace {

std::vector<HeldSetting> as_written(const Settings& settings) {
  std::vector<HeldSetting> written;
  for (const Settings::Entry& entry : settings.entries()) written.push_back({entry.key, entry.value});
  return written;
}

std::vector<HeldSetting> as_read(const Settings& checked) {
  std::vector<HeldSetting> held;
  for (const Settings::Known& known : checked.known())
    held.push_back({known.key, known.holds, known.holds == known.fallback});
  return held;
}

// A setting that is found by training has a value of its own, which its row does not read.
void put_tuned(const Tuning& tuning, const Settings& settings, std::vector<HeldSetting>& held) {
  for (HeldSetting& setting : held) {
    if (setting.key != tuning.key) continue;
    const bool is_now = is_tuned(tuning, settings);
    if (is_now) setting.value = kTuned;
    if (is_now || tuning.by_default) setting.is_default = is_now == tuning.by_default;
  }
}

template <class Row>
std::vector<HeldSetting> held_of_row(const Result<const Row*>& row, const Settings& settings) {
  if (!row.ok()) return as_written(settings);
  const Settings checked = check_settings(**row, "", settings);
  if (!checked.problems().empty()) return as_written(settings);
  std::vector<HeldSetting> held = as_read(checked);
  put_tuned((*row)->tuning, settings, held);
  return held;
}

std::vector<HeldSetting> held_of_dataset(const NamedSettings& part) {
  const auto checked = check_dataset_settings(part.name, part.settings);
  return checked.ok() && checked->problems().empty() ? as_read(*checked) : as_written(part.settings);
}

// "share 0.8" as users write it, "0.8", and "share 1" as "1.0", which is no number of examples.
std::string as_users_write(const std::string& value) {
  constexpr std::string_view kShare = "share ";
  if (!value.starts_with(kShare)) return value;
  const std::string number = value.substr(kShare.size());
  return number.find_first_of(".e") == number.npos ? number + ".0" : number;
}

void add_part(const std::string& section, const NamedSettings& part, std::vector<HeldSetting>& all) {
  all.push_back({section + ".name", part.name});
  std::vector<HeldSetting> held = held_settings(section, part);
  std::ranges::sort(held, {}, &HeldSetting::key);
  for (const HeldSetting& one : held)
    all.push_back({section + "." + one.key, as_users_write(one.value), one.is_default});
}

HeldSetting heuristics_of(const Experiment& experiment) {
  if (experiment.all_heuristics) return {"heuristics", "all", true};
  std::vector<std::string> texts;
  for (const NamedSettings& heuristic : experiment.heuristics) texts.push_back(describe_part(heuristic));
  std::ranges::sort(texts);
  return {"heuristics", fmt::format("{}", fmt::join(texts, "; "))};
}

std::string text_of(std::string_view section, const NamedSettings& part) {
  std::string text = fmt::format("{}: {}\n", section, part.name);
  for (const HeldSetting& setting : held_settings(section, part))
    if (!setting.is_default) text += fmt::format("  {}: {}\n", setting.key, setting.value);
  return text;
}

}  // namespace

std::vector<HeldSetting> held_settings(std::string_view section, const NamedSettings& part) {
  if (section == "dataset") return held_of_dataset(part);
  if (section == "booster") return held_of_row(find_booster(part.name), part.settings);
  if (section == "weak") return held_of_row(find_weak_learner(part.name), part.settings);
  if (section == "sampler") return held_of_row(find_sampler(part.name), part.settings);
  return held_of_row(find_learner(part.name), part.settings);
}

std::vector<HeldSetting> held_settings(const Experiment& experiment) {
  std::vector<HeldSetting> all;
  add_part("dataset", experiment.dataset, all);
  all.push_back(heuristics_of(experiment));
  if (experiment.has_booster()) {
    add_part("booster", experiment.booster, all);
    add_part("weak", experiment.weak, all);
    add_part("sampler", experiment.sampler, all);
  } else {
    add_part("classifier", experiment.classifier, all);
  }
  const bool by_origin = experiment.isolation == Isolation::kByOrigin;
  all.push_back(
      {"isolation", std::string(by_origin ? "by origin" : to_string(experiment.isolation)), by_origin});
  all.push_back({"patience", std::to_string(experiment.patience), experiment.patience == 1});
  return all;
}

std::string held_text(const Experiment& experiment) {
  const std::string data = text_of("dataset", experiment.dataset);
  if (!experiment.has_booster()) return data + text_of("classifier", experiment.classifier);
  return data + text_of("booster", experiment.booster) + text_of("weak", experiment.weak) +
         text_of("sampler", experiment.sampler);
}

bool mean_the_same(const Experiment& first, const Experiment& second) {
  const auto heuristics = [](const Experiment& experiment) {
    Experiment alone = default_experiment();
    alone.all_heuristics = experiment.all_heuristics;
    alone.heuristics = experiment.heuristics;
    alone.seed = experiment.seed;
    alone.runs = experiment.runs;
    return to_yaml(alone);
  };
  return held_text(first) == held_text(second) && heuristics(first) == heuristics(second);
}

}  // namespace mash
