// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/report_heuristic.hpp"

#include <algorithm>

#include "framework/base/machine.hpp"
#include "framework/dataset/perturbation.hpp"
#include "framework/operations/commands.hpp"
#include "framework/operations/offer_trial.hpp"
#include "framework/operations/robustness.hpp"
#include "framework/reports/heuristic_page.hpp"

namespace mash {
namespace {

constexpr std::size_t kMaxFeatures = 10;
constexpr std::size_t kMostPairs = 6;  // of permutations, for the Shapley value: four trainings each

// What the report is made from: a trial that is done.
struct Source {
  const TrialSettings& settings;
  TrialSetup& setup;
  const Trial& trial;
  const WorkContext& work;
};

Result<std::vector<RobustnessCurve>> robustness_of(const Source& source) {
  Workspace& space = source.setup.space;
  const NewcomerAnalysis& analysis = source.trial.analysis;
  const std::string key = trial_key(source.setup);
  MASH_ASSIGN(std::vector<RobustnessCurve> curves, kept_robustness(space.records, key));
  if (curves.empty()) {
    const StrongClassifier* without = analysis.without.models.empty() ? nullptr : &analysis.without.models[0];
    MASH_ASSIGN(curves, robustness_curves(
                            {*space.dataset, analysis.with.models[0], without, source.setup.experiment.seed},
                            space.catalogue, source.work));
    MASH_TRY(keep_robustness(space.records, key, curves));
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

std::vector<CostPoint> cost_points(const Source& source) {
  std::vector<CostPoint> points;
  const auto& families = source.setup.space.features.families();
  const auto& own = source.setup.newcomer.families;
  for (std::size_t k = 0; k < families.size(); ++k)
    points.push_back({families[k].spec.name, families[k].microseconds_per_image,
                      source.trial.analysis.family_shares[k], std::binary_search(own.begin(), own.end(), k),
                      false});
  mark_front(points);
  return points;
}

std::vector<std::string> family_names(const FeatureSet& features) {
  std::vector<std::string> names;
  for (const FamilyInfo& family : features.families()) names.push_back(family.spec.name);
  return names;
}

// What follows from the models of the pool with the heuristic.
Status look_at_models(const Source& source, HeuristicReport& report) {
  const Workspace& space = source.setup.space;
  const std::vector<std::size_t>& own = source.setup.newcomer.families;
  const auto& models = source.trial.analysis.with.models;
  const Workers& workers = source.work.workers;
  MASH_ASSIGN(const CutAnswers answers, CutAnswers::make(models[0], space.features));
  report.mistakes = mistakes_of(models[0], answers, space.dataset->test.labels, workers);
  report.clusters = mistake_clusters(report.mistakes, kClustersOfReport);
  report.best_features = best_features(space.features, own, *space.dataset, models, kMaxFeatures, workers);
  report.feature_use = feature_use(space.features, own, models);
  return Done{};
}

// What the records hold of the trainings.
Status look_at_records(const Source& source, HeuristicReport& report) {
  Records& records = source.setup.space.records;
  const NewcomerAnalysis& analysis = source.trial.analysis;
  std::vector<std::string> own;
  for (const std::size_t k : source.setup.newcomer.families) own.push_back(report.family_names[k]);
  MASH_ASSIGN(report.with, curve_bands(records, analysis.with.run_ids));
  MASH_ASSIGN(report.without, curve_bands(records, analysis.without.run_ids));
  MASH_ASSIGN(report.use, use_over_rounds(records, analysis.with.run_ids, own));
  MASH_ASSIGN(report.history, past_trials(records, source.setup.heuristic.id, analysis.with.run_ids[0]));
  return Done{};
}

// Which plugin, data, program and machine the figures come from.
void say_where_from(const Source& source, HeuristicReport& report) {
  const HeuristicInfo& heuristic = source.setup.heuristic;
  report.plugin = heuristic.plugin.filename().string();
  report.plugin_sha256 = heuristic.plugin_sha256;
  report.dataset_fingerprint = source.setup.space.dataset->fingerprint;
  report.program_version = MASH_VERSION;
  const MachineInfo machine = this_machine();
  report.machine =
      fmt::format("{}, {} threads, {}", machine.cpu, source.work.workers.num_threads(), machine.os);
  report.commands = commands_of_trial(source.settings, source.setup.experiment.dataset.name);
}

// Nothing where the heuristic cannot be offered, which a remark says.
Result<std::optional<HeuristicOffer>> offer_for_report(const TrialSettings& settings, TrialSetup& setup,
                                                       const WorkContext& work) {
  OfferTestSettings test;
  test.first_seed = setup.experiment.seed;
  test.seconds = settings.seconds;
  auto offer = offer_of(setup, test, {work.workers, work.progress, no_remarks(), work.stop});
  if (offer.ok()) return std::optional(*std::move(offer));
  if (offer.error().kind != ErrorKind::kInput) return offer.error();
  work.remarks.warn("no offer test: " + offer.error().message);
  return std::optional<HeuristicOffer>();
}

Result<HeuristicReportResult> report_on(const TrialSettings& settings, const NamedHeuristic& named,
                                        const WorkContext& work) {
  MASH_ASSIGN(TrialSetup setup, prepare_trial(settings, named, work));
  MASH_ASSIGN(auto offer, offer_for_report(settings, setup, work));
  MASH_ASSIGN(SubsetTrainer trainer, SubsetTrainer::make(setup.experiment, setup.space, work));
  // With it, without it, alone and in the place of another; two for each order of Shapley's.
  trainer.expect(4 * setup.seeds.size() + 4 * kMostPairs);
  MASH_ASSIGN(Trial trial, run_trial(setup, trainer));
  MASH_ASSIGN(trial.summary.contribution.family.shapley,
              newcomer_shapley(trainer, setup.newcomer, setup.seeds[0], kMostPairs));
  trainer.finish();
  MASH_TRY(keep_trial(setup, trial));
  trial.summary.num_trained = trainer.num_trained();
  trial.summary.num_found = trainer.num_found();
  trial.summary.seconds = setup.watch.seconds();

  const Dataset& dataset = *setup.space.dataset;
  const NewcomerAnalysis& analysis = trial.analysis;
  const Source source{settings, setup, trial, work};
  HeuristicReport report;
  report.trial = trial.summary;
  report.offer = std::move(offer);
  report.family_names = family_names(setup.space.features);
  report.own_families = setup.newcomer.families;
  report.slices = slice_gains(analysis.without.tests, analysis.with.tests, dataset, work.workers);
  report.confused_without =
      confused_pairs(analysis.without.tests, dataset.test.labels, dataset.num_classes());
  report.confused_with = analysis.contribution.left;
  report.cka = analysis.cka;
  report.costs = cost_points(source);
  MASH_TRY(look_at_models(source, report));
  MASH_TRY(look_at_records(source, report));
  MASH_ASSIGN(report.robustness, robustness_of(source));
  say_where_from(source, report);
  MASH_ASSIGN(page::Piece page, heuristic_page(report, dataset));
  return HeuristicReportResult{std::move(report), std::move(page)};
}

}  // namespace

Diagnosed<HeuristicReportResult> report_heuristic(const TrialSettings& settings, const WorkContext& work,
                                                  const OnFailedChecks& on_failed) {
  auto named = find_tried(settings, work, on_failed);
  if (!named.result.ok()) return {named.result.error(), std::move(named.diagnostics)};
  return {report_on(settings, *named.result, work), std::move(named.diagnostics)};
}

}  // namespace mash
