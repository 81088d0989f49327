// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic_trial.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/base/statistics.hpp"
#include "framework/render/wording.hpp"
#include "framework/reports/contribution_json.hpp"
#include "framework/reports/trial_lines.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kChanged = 0.05;  // McNemar's mid-p of a class to be named
constexpr std::size_t kTitleWidth = 14, kClassesShown = 4;

// "2.10 ± 0.03", in per cent or points.
std::string percent(const Estimate& value) {
  return value.half_width ? fmt::format("{:.2f} ± {:.2f}", 100 * value.mean, 100 * *value.half_width)
                          : fmt::format("{:.2f}", 100 * value.mean);
}
std::string points(const Estimate& value) {
  return fmt::format("{:+.2f}{}", 100 * value.mean,
                     value.half_width ? fmt::format(" ± {:.2f}", 100 * *value.half_width) : "");
}

const std::string& nearest_name(const NewcomerContribution& contribution) {
  return contribution.names[contribution.family.neighbours[0].family_idx];
}

std::vector<Diagnosis> diagnoses_of(const HeuristicTrial& trial) {
  const NewcomerContribution& contribution = trial.contribution;
  return diagnose(contribution.family, contribution.constant_error, contribution.with_error.mean,
                  contribution.names, trial.num_test);
}

// "4 (fixes 6, breaks 1)", those that changed most first.
std::string changed_classes(const HeuristicTrial& trial, bool helped) {
  std::vector<ClassChange> classes = trial.contribution.family.added.classes;
  std::erase_if(classes, [&](const ClassChange& change) {
    return change.p_mid >= kChanged || (change.num_fixed > change.num_broken) != helped;
  });
  std::stable_sort(classes.begin(), classes.end(), [](const ClassChange& a, const ClassChange& b) {
    return std::abs(a.gain) > std::abs(b.gain);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(classes.size(), kClassesShown); ++i)
    text += fmt::format("{}{} (fixes {}, breaks {})", i ? ", " : "", trial.class_names[classes[i].class_idx],
                        classes[i].num_fixed, classes[i].num_broken);
  return text.empty() ? fmt::format("no class beyond chance (McNemar's mid-p < {})", kChanged) : text;
}

std::string worst_pair(const HeuristicTrial& trial) {
  const auto& left = trial.contribution.left;
  if (left.empty()) return "nothing: no mistake is left";
  return fmt::format("the class pair ({}, {}), {:.0f} mistakes of the pool with it",
                     trial.class_names[left[0].first], trial.class_names[left[0].second],
                     left[0].num_mistakes);
}

std::string line(std::string_view title, const std::string& text) {
  return fmt::format("{:<{}} {}\n", title, kTitleWidth, text);
}

std::string alone_lines(const HeuristicTrial& trial) {
  const NewcomerContribution& contribution = trial.contribution;
  const Comparison& added = contribution.family.added;
  std::string text =
      line("alone",
           fmt::format("{} % test error (the pool {} %, always answering the most frequent class {:.2f} %)",
                       percent(contribution.family.alone_error), percent(contribution.pool_error),
                       100 * contribution.constant_error));
  text += line("added", fmt::format("{} points gained: {:.2f} % -> {:.2f} %; fixes {} images, breaks {} ({})",
                                    points(added.gain), 100 * contribution.pool_error.mean,
                                    100 * contribution.with_error.mean, added.fixed.size(),
                                    added.broken.size(), p_wording(added.examples.p_mid)));
  if (contribution.replaced)
    text += line("instead", fmt::format("{} points gained where it takes the place of {}",
                                        points(contribution.replaced->gain), nearest_name(contribution)));
  return text;
}

Json to_json(const Comparison& comparison, const std::vector<std::string>& class_names) {
  Json json{{"gain", estimate_json(comparison.gain)},
            {"gains", comparison.gains},
            {"p_value", comparison.p_value},
            {"fixed", comparison.fixed},
            {"broken", comparison.broken},
            {"mcnemar_p_exact", comparison.examples.p_exact},
            {"mcnemar_p_mid", comparison.examples.p_mid},
            {"classes", Json::array()}};
  for (const ClassChange& change : comparison.classes)
    json["classes"].push_back({{"class", class_names[change.class_idx]},
                               {"examples", change.num_examples},
                               {"gain", change.gain},
                               {"fixed", change.num_fixed},
                               {"broken", change.num_broken},
                               {"mcnemar_p_mid", change.p_mid}});
  return json;
}

}  // namespace

std::vector<std::string> verdict(const HeuristicTrial& trial) {
  std::vector<std::string> lines;
  for (const Diagnosis& diagnosis : diagnoses_of(trial))
    lines.push_back(fmt::format("{}: {}", to_string(diagnosis.kind), diagnosis.reason));
  const Comparison& added = trial.contribution.family.added;
  if (added.is_better()) lines.push_back("adds to the pool, beyond the noise of seeds");
  if (added.is_worse()) lines.push_back("harms the pool, beyond the noise of seeds");
  if (lines.empty() && trial.seeds.size() > 1 && !added.gain.half_width)
    lines.push_back("not judged: all seeds gain the same, which may be chance");
  if (lines.empty())
    lines.push_back("undecided: the interval of the gain holds 0, so that it may add something or nothing");
  return lines;
}

std::string advice(const HeuristicTrial& trial) {
  const NewcomerContribution& contribution = trial.contribution;
  const auto diagnoses = diagnoses_of(trial);
  const auto is = [&](DiagnosisKind kind) {
    return std::any_of(diagnoses.begin(), diagnoses.end(),
                       [&](const Diagnosis& one) { return one.kind == kind; });
  };
  std::string text;
  if (is(DiagnosisKind::kSuspicious))
    text =
        "Look for a leak before anything else: do its features depend on the order, the name or the border "
        "of the images?";
  else if (is(DiagnosisKind::kUseless))
    text =
        "It tells nothing about the classes, alone or beside the others: plot its features for two classes, "
        "and check that they change with the image.";
  else if (is(DiagnosisKind::kRedundant) && !contribution.names.empty())
    text = fmt::format("What it sees, {} sees: look at what they miss together, {}.",
                       nearest_name(contribution), worst_pair(trial));
  else if (contribution.family.added.is_worse())
    text = "Rounds spent on it are lost to better features: use fewer features, or more rounds (--rounds).";
  else if (contribution.family.added.is_better())
    text = fmt::format("It helps: keep it, and go on with {}.", worst_pair(trial));
  else
    text = fmt::format("More rounds or seeds (--rounds, --seeds) may show a gain; what is left to win is {}.",
                       worst_pair(trial));
  const std::string of_cost = cost_advice(contribution.family.cost, trial.pool_microseconds);
  if (!of_cost.empty()) text += " " + of_cost;
  return text;
}

TrialRow trial_row(const HeuristicTrial& trial) {
  const FamilyContribution& family = trial.contribution.family;
  TrialRow row;
  row.heuristic = trial.heuristic;
  row.version = trial.version;
  row.settings = trial.settings;
  row.rounds = trial.rounds;
  row.num_seeds = trial.seeds.size();
  row.pool_size = trial.contribution.names.size();
  row.alone_error = family.alone_error;
  row.gain = family.added.gain;
  row.margin_share = family.margin_share.mean;
  row.importance = family.importance.mean;
  row.importance_se = family.importance.standard_error;
  if (family.shapley) {
    row.shapley = family.shapley->mean;
    row.shapley_se = family.shapley->standard_error;
  }
  return row;
}

std::string render_figures(const HeuristicTrial& trial) {
  const NewcomerContribution& contribution = trial.contribution;
  std::string text = fmt::format(
      "{} {}{} on {} ({} training, {} test images), beside {} families\n{} rounds (--rounds), {} seeds, "
      "sampler {}; intervals are 95 %, over seeds, paired\n\n",
      trial.heuristic, trial.version, trial.settings.empty() ? "" : fmt::format(" ({})", trial.settings),
      trial.dataset, trial.num_train, trial.num_test, contribution.names.size(), trial.rounds,
      trial.seeds.size(), trial.sampler);
  text += alone_lines(trial);
  text += neighbour_lines(contribution.family.neighbours, contribution.names, kTitleWidth);
  text += line(
      "margin",
      fmt::format("{} % of the mean margin (an equal share: {:.1f} %); permuted, the error rises {} "
                  "points",
                  percent(contribution.family.margin_share), 100.0 / double(contribution.names.size() + 1),
                  fmt::format("{:.2f} ± {:.2f} (s.e.)", 100 * contribution.family.importance.mean,
                              100 * contribution.family.importance.standard_error)));
  text += line("helps", changed_classes(trial, true));
  text += line("hurts", changed_classes(trial, false));
  text += line("cost", cost_text(contribution.family.cost, trial.pool_microseconds));
  return text + fmt::format("({:.1f} s: extraction {:.1f} s; {} trainings, {} found in the records)\n",
                            trial.seconds, trial.extract_seconds, trial.num_trained, trial.num_found);
}

std::string render_text(const HeuristicTrial& trial) {
  std::string text = render_figures(trial) + "\n";
  const auto lines = verdict(trial);
  for (std::size_t i = 0; i < lines.size(); ++i) text += line(i == 0 ? "verdict" : "", lines[i]);
  return text + fmt::format("\nNext: {}\n", advice(trial));
}

Json to_json(const HeuristicTrial& trial) {
  const NewcomerContribution& contribution = trial.contribution;
  const FamilyContribution& family = contribution.family;
  Json json{{"heuristic", trial.heuristic}, {"version", trial.version},
            {"settings", trial.settings},   {"experiment", trial.experiment},
            {"dataset", trial.dataset},     {"num_train", trial.num_train},
            {"num_test", trial.num_test},   {"pool", contribution.names},
            {"rounds", trial.rounds},       {"seeds", trial.seeds},
            {"sampler", trial.sampler},     {"constant_error", contribution.constant_error}};
  json["alone_error"] = estimate_json(family.alone_error);
  json["pool_error"] = estimate_json(contribution.pool_error);
  json["with_error"] = estimate_json(contribution.with_error);
  json["added"] = to_json(family.added, trial.class_names);
  json["replaced"] = Json();
  if (contribution.replaced) {
    json["replaced"] = to_json(*contribution.replaced, trial.class_names);
    json["replaced"]["neighbour"] = nearest_name(contribution);
  }
  json["neighbours"] = neighbours_json(family.neighbours, contribution.names);
  json["margin_share"] = estimate_json(family.margin_share);
  json["permutation_importance"] = {{"mean", family.importance.mean},
                                    {"standard_error", family.importance.standard_error}};
  json["cost"] = cost_json(family.cost);
  json["confused"] = Json::array();
  for (const ConfusedPair& pair : contribution.left)
    json["confused"].push_back({{"classes", {trial.class_names[pair.first], trial.class_names[pair.second]}},
                                {"mistakes", pair.num_mistakes}});
  json["findings"] = diagnoses_json(diagnoses_of(trial));
  json["verdict"] = verdict(trial);
  json["advice"] = advice(trial);
  json["extract_seconds"] = trial.extract_seconds;
  json["seconds"] = trial.seconds;
  json["trainings"] = trial.num_trained;
  json["trainings_found"] = trial.num_found;
  json["warnings"] = trial.warnings;
  return json;
}

}  // namespace mash
