// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/heuristic_report_run.hpp"

#include <algorithm>

#include "framework/base/shell_word.hpp"
#include "framework/cli/heuristic_compile.hpp"
#include "framework/cli/machine.hpp"
#include "framework/cli/robustness_runs.hpp"
#include "framework/dataset/perturbation.hpp"

namespace mash {
namespace {

constexpr std::size_t kMaxFeatures = 10;
constexpr std::size_t kNumPermutations = 12;  // of the Shapley value: two trainings each

// Equal for equal measurements.
std::string key_of(const Trial& trial) {
  return fmt::format(
      "{}/{}/{}",
      run_key(trial.experiment, trial.experiment.seed, trial.data->dataset(), trial.data->features()),
      trial.heuristic.id, trial.options.seeds);
}

Result<std::vector<RobustnessCurve>> robustness_of(Trial& trial, Progress& progress) {
  ExperimentData& data = *trial.data;
  const std::string key = key_of(trial);
  MASH_ASSIGN(std::vector<RobustnessCurve> curves, kept_robustness(data.records(), key));
  if (curves.empty()) {
    const SetRuns& without = trial.analysis.without;
    MASH_ASSIGN(curves, robustness_curves({data.dataset(), trial.analysis.with.models[0],
                                           without.models.empty() ? nullptr : &without.models[0],
                                           trial.experiment.seed, data.catalogue(), data.workers(), progress,
                                           data.stop()}));
    MASH_TRY(keep_robustness(data.records(), key, curves));
  }
  std::vector<RobustnessCurve> ordered;
  for (const PerturbationInfo& info : perturbations()) {
    const auto curve = std::find_if(curves.begin(), curves.end(),
                                    [&](const RobustnessCurve& one) { return one.kind == info.name; });
    if (curve == curves.end()) continue;
    ordered.push_back(*curve);
    ordered.back().unit = std::string(info.unit);
  }
  return ordered;
}

std::vector<CostPoint> cost_points(const Trial& trial) {
  std::vector<CostPoint> points;
  const auto& families = trial.data->features().families();
  const auto& own = trial.newcomer.families;
  for (std::size_t k = 0; k < families.size(); ++k)
    points.push_back({families[k].spec.name, families[k].microseconds_per_image,
                      trial.analysis.family_shares[k], std::binary_search(own.begin(), own.end(), k), false});
  mark_front(points);
  return points;
}

// What has to be said beside the heuristic for the same figures to come again.
std::string options_of(const Trial& trial) {
  const TrialOptions& options = trial.options;
  std::string text;
  if (!options.against.empty()) text += " --against " + shell_word(options.against);
  // Which data are the default depends on what is at hand.
  if (options.against.empty() || !options.dataset.empty())
    text += " --dataset " + shell_word(trial.experiment.dataset.name);
  text += fmt::format(" --rounds {} --seeds {}", options.rounds, options.seeds);
  if (options.run.seed) text += fmt::format(" --seed {}", *options.run.seed);
  for (const std::string& setting : options.run.overrides) text += " --set " + shell_word(setting);
  return text;
}

std::vector<std::string> commands_of(const Trial& trial) {
  const std::string heuristic = shell_word(trial.options.heuristic);
  std::string places;
  for (const std::string& place : trial.options.run.catalogue.heuristics)
    places += " --heuristics " + shell_word(place);
  const bool is_compiled = is_source(trial.options.heuristic);
  const std::string checked = is_compiled ? shell_word(trial.heuristic.plugin.string()) : heuristic + places;
  const std::string what = heuristic + options_of(trial) + places;
  return {"mash heuristic check " + checked, "mash heuristic try " + what, "mash report " + what};
}

std::vector<std::string> family_names(const FeatureSet& features) {
  std::vector<std::string> names;
  for (const FamilyInfo& family : features.families()) names.push_back(family.spec.name);
  return names;
}

// What follows from the models of the pool with the heuristic.
Status look_at_models(Trial& trial, HeuristicReport& report) {
  const ExperimentData& data = *trial.data;
  const auto& models = trial.analysis.with.models;
  MASH_ASSIGN(const CutAnswers answers, CutAnswers::make(models[0], data.features()));
  report.mistakes = mistakes_of(models[0], answers, data.dataset().test.labels, data.workers());
  report.clusters = mistake_clusters(report.mistakes, kClustersOfReport);
  report.best_features = best_features(data.features(), trial.newcomer.families, data.dataset(), models,
                                       kMaxFeatures, data.workers());
  report.feature_use = feature_use(data.features(), trial.newcomer.families, models);
  return Done{};
}

// What the records hold of the trainings.
Status look_at_records(Trial& trial, HeuristicReport& report) {
  Records& records = trial.data->records();
  const NewcomerAnalysis& analysis = trial.analysis;
  std::vector<std::string> own;
  for (const std::size_t k : trial.newcomer.families) own.push_back(report.family_names[k]);
  MASH_ASSIGN(report.with, curve_bands(records, analysis.with.experiment_ids));
  MASH_ASSIGN(report.without, curve_bands(records, analysis.without.experiment_ids));
  MASH_ASSIGN(report.use, use_over_rounds(records, analysis.with.experiment_ids, own));
  MASH_ASSIGN(report.history, past_trials(records, trial.heuristic.id, analysis.with.experiment_ids[0]));
  return Done{};
}

}  // namespace

Status keep_trial(Trial& trial) {
  TrialRow row = trial_row(trial.summary);
  row.key = key_of(trial);
  row.experiment_id = trial.analysis.with.experiment_ids[0];
  row.plugin_sha256 = trial.heuristic.plugin_sha256;
  return keep_trial(trial.data->records(), row);
}

Result<HeuristicReport> heuristic_report(Trial& trial, Progress& progress) {
  const Dataset& dataset = trial.data->dataset();
  NewcomerAnalysis& analysis = trial.analysis;
  HeuristicReport report;
  MASH_ASSIGN(trial.summary.contribution.family.shapley,
              newcomer_shapley(*trial.trainer, trial.newcomer, trial.settings.seeds[0], kNumPermutations));
  MASH_TRY(keep_trial(trial));
  trial.summary.num_trained = trial.trainer->num_trained();
  trial.summary.num_found = trial.trainer->num_found();
  report.trial = trial.summary;
  report.family_names = family_names(trial.data->features());
  report.own_families = trial.newcomer.families;
  report.slices = slice_gains(analysis.without.tests, analysis.with.tests, dataset, trial.data->workers());
  report.confused_without =
      confused_pairs(analysis.without.tests, dataset.test.labels, dataset.num_classes());
  report.confused_with = analysis.contribution.left;
  report.cka = analysis.cka;
  report.costs = cost_points(trial);
  MASH_TRY(look_at_models(trial, report));
  MASH_TRY(look_at_records(trial, report));
  MASH_ASSIGN(report.robustness, robustness_of(trial, progress));
  report.plugin = trial.heuristic.plugin.filename().string();
  report.plugin_sha256 = trial.heuristic.plugin_sha256;
  report.dataset_fingerprint = dataset.fingerprint;
  report.program_version = MASH_VERSION;
  const MachineInfo machine = this_machine();
  report.machine =
      fmt::format("{}, {} threads, {}", machine.cpu, trial.data->workers().num_threads(), machine.os);
  report.commands = commands_of(trial);
  return report;
}

}  // namespace mash
