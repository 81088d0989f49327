// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/pool_report_run.hpp"

#include <map>
#include <numeric>

namespace mash {
namespace {

constexpr std::size_t kNumPermutations = 8;  // of Shapley's: pairs of opposite order

ContributionSettings settings_of(const Experiment& experiment, const TrialOptions& options) {
  ContributionSettings settings;
  settings.seeds.resize(options.seeds);
  std::iota(settings.seeds.begin(), settings.seeds.end(), experiment.seed);
  settings.shapley = ShapleySettings{.num_permutations = kNumPermutations};
  return settings;
}

// In what the families are not those that were recorded.
std::vector<std::string> differences(const ExperimentRecord& record, const FeatureSet& features) {
  std::vector<std::string> remarks = features.left_out();
  std::map<std::string, const ExperimentRecord::Family*> recorded;
  for (const ExperimentRecord::Family& family : record.families) recorded[family.name] = &family;
  for (const FamilyInfo& family : features.families()) {
    const auto found = recorded.find(family.spec.name);
    if (found == recorded.end()) {
      remarks.push_back(fmt::format("{} is new: the experiment was run without it", family.spec.name));
      continue;
    }
    const ExperimentRecord::Family& before = *found->second;
    if (before.settings != family.spec.settings ||
        before.heuristic.plugin_sha256 != family.spec.heuristic.plugin_sha256)
      remarks.push_back(fmt::format(
          "{} is another build, or has other settings, than the experiment was run with", family.spec.name));
    recorded.erase(found);
  }
  for (const auto& [name, family] : recorded)
    remarks.push_back(fmt::format("{} is missing: its plugin was not found", name));
  return remarks;
}

std::vector<CostPoint> cost_points(const PoolContribution& pool) {
  std::vector<CostPoint> points;
  for (const FamilyContribution& family : pool.families)
    points.push_back(
        {family.name, family.cost.microseconds_per_image, family.margin_share.mean, false, false});
  mark_front(points);
  return points;
}

}  // namespace

Result<PoolReport> pool_report(const ExperimentRecord& record, const Experiment& recorded,
                               const TrialOptions& options, Progress& progress) {
  const Stopwatch watch;
  Experiment experiment = recorded;
  experiment.booster.settings.add("rounds", std::to_string(options.rounds), "--rounds");
  experiment.runs = options.seeds;
  MASH_TRY(check_subsets(experiment));
  MASH_ASSIGN(const auto data, ExperimentData::open(experiment, options.run, progress));
  const Dataset& dataset = data->dataset();
  MASH_ASSIGN(
      SubsetTrainer trainer,
      SubsetTrainer::make({experiment, dataset, data->features(), data->workers(), data->records(), progress,
                           data->stop(), store_folder(options.run.store) / "models", options.run.strict}));
  MASH_ASSIGN(PoolAnalysis analysis, pool_contribution(trainer, settings_of(experiment, options)));
  PoolReport report;
  report.pool = std::move(analysis.contribution);
  report.pool.rounds = options.rounds;
  report.sampler = describe(experiment.sampler);
  report.class_names = dataset.class_names;
  report.num_test = dataset.test.num_examples;
  for (const FamilyContribution& family : report.pool.families)
    report.diagnoses.push_back(diagnose(family, report.pool.constant_error, report.pool.pool_error.mean,
                                        report.family_names(), report.num_test));
  report.cka = analysis.cka;
  MASH_ASSIGN(const CutAnswers answers, CutAnswers::make(analysis.all.models[0], data->features()));
  report.mistakes = mistakes_of(analysis.all.models[0], answers, dataset.test.labels, data->workers());
  report.clusters = mistake_clusters(report.mistakes, kClustersOfReport);
  report.confused = confused_pairs(analysis.all.tests, dataset.test.labels, dataset.num_classes());
  report.costs = cost_points(report.pool);
  report.uncovered = std::move(analysis.uncovered);
  report.remarks = differences(record, data->features());
  report.num_trained = trainer.num_trained();
  report.num_found = trainer.num_found();
  report.command =
      fmt::format("mash report {} --rounds {} --seeds {}", options.heuristic, options.rounds, options.seeds);
  report.seconds = watch.seconds();
  return report;
}

}  // namespace mash
