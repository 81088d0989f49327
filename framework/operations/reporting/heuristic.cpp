// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/reporting/heuristic.hpp"

#include <algorithm>
#include <map>

#include "framework/analysis/similarity.hpp"
#include "framework/base/machine.hpp"
#include "framework/operations/offers/commands.hpp"
#include "framework/operations/offers/summary.hpp"
#include "framework/reports/heuristic/page.hpp"

namespace mash {
namespace {

constexpr std::size_t kMaxFeatures = 10;

std::vector<std::string> family_names(const FeatureSet& features) {
  std::vector<std::string> names;
  for (const FamilyInfo& family : features.families()) names.push_back(family.spec.name);
  return names;
}

// The test of this heuristic and, where the records have them, of the others of the pool.
std::vector<CostPoint> cost_points_of_trial(const HeuristicReport& report, const FeatureSet& features) {
  std::map<std::string, double> microseconds;  // of a heuristic's families together
  for (const FamilyInfo& family : features.families())
    microseconds[family.spec.heuristic.id] += family.microseconds_per_image;
  std::vector<CostPoint> points{{report.offer.heuristic, microseconds[report.offer.heuristic],
                                 report.offer.figures.last.gain, true, false}};
  for (const PastOffer& other : report.others)
    points.push_back(
        {other.offer.heuristic, microseconds[other.offer.heuristic], other.offer.gain, false, false});
  mark_front(points);
  return points;
}

// Takes the results of the offer test, part by part.
void take_parts(OfferTest test, const Dataset& dataset, HeuristicReport& report) {
  for (std::size_t i = 0; i < test.examples.size(); ++i)
    report.pictures.push_back({test.held_out[i], dataset.train.labels[test.held_out[i]], test.examples[i],
                               example_name(dataset, dataset.train, test.held_out[i])});
  report.rivals = std::move(test.rivals);
  report.slices = std::move(test.slices);
  report.wins = std::move(test.wins);
}

// This heuristic and the others of the pool in the records.
Status look_at_records(const TrialSetup& setup, HeuristicReport& report) {
  const Records& records = setup.space.records;
  OfferRow row = offer_row(report.offer);
  row.dataset_fingerprint = setup.space.dataset->fingerprint;
  MASH_ASSIGN(report.others,
              latest_offers(records, row.dataset_fingerprint, row.side, family_set_key(report.family_names)));
  std::erase_if(report.others,
                [&](const PastOffer& other) { return other.offer.heuristic == report.offer.heuristic; });
  return Done{};
}

// Which plugin, data, program and machine the figures come from.
void say_where_from(const OfferTrySettings& settings, const TrialSetup& setup, const Workers& workers,
                    HeuristicReport& report) {
  const HeuristicInfo& heuristic = setup.heuristic;
  report.plugin = heuristic.plugin.filename().string();
  report.dataset_fingerprint = setup.space.dataset->fingerprint;
  report.program_version = MASH_VERSION;
  const MachineInfo machine = this_machine();
  report.machine = fmt::format("{}, {} threads, {}", machine.cpu, workers.num_threads(), machine.os);
  if (settings.shows_commands) report.commands = commands_of_trial(settings, setup.experiment.dataset);
}

}  // namespace

Result<HeuristicReportResult> report_trial(TrialSetup& setup, const OfferTrySettings& settings,
                                           const WorkContext& work, const OfferObserver& observer) {
  MASH_ASSIGN(TestedOffer tested, test_offer(setup, settings, true, work, observer));
  const FeatureSet& features = setup.space.features;
  const Dataset& dataset = *setup.space.dataset;
  HeuristicReport report;
  report.offer = std::move(tested.offer);
  take_parts(std::move(tested.test), dataset, report);
  report.family_names = family_names(features);
  report.own_families = setup.newcomer.families;
  report.cka = likeness_of(all_sampled_columns(features, {}, work.workers), work.workers).cka;
  report.best_features =
      best_features(features, report.own_families, dataset, report.wins, kMaxFeatures, work.workers);
  MASH_TRY(look_at_records(setup, report));
  report.costs = cost_points_of_trial(report, features);
  say_where_from(settings, setup, work.workers, report);
  MASH_ASSIGN(page::Piece page, heuristic_page(report, dataset));
  return HeuristicReportResult{std::move(report), std::move(page)};
}

Diagnosed<HeuristicReportResult> report_heuristic(const OfferTrySettings& settings, const WorkContext& work,
                                                  const OnFailedChecks& on_failed) {
  // Before anything is built and computed.
  if (const Status enough = check_most_seeds(settings.seeds); !enough.ok()) return {enough.error(), ""};
  auto [setup, diagnostics] = prepare_trial(settings, work, on_failed);
  if (!setup.ok()) return {setup.error(), std::move(diagnostics)};
  return {report_trial(*setup, settings, work), std::move(diagnostics)};
}

}  // namespace mash
