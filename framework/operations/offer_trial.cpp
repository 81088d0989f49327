// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offer_trial.hpp"

#include <algorithm>

#include "framework/base/statistics.hpp"
#include "framework/operations/training_run.hpp"

namespace mash {
namespace {

double share_of_mistakes(const OfferTest& test, std::uint16_t ExampleChange::*predicted) {
  std::size_t num_wrong = 0;
  for (std::size_t i = 0; i < test.labels.size(); ++i)
    num_wrong += test.examples[i].*predicted != test.labels[i];
  return double(num_wrong) / double(test.labels.size());
}

bool is_own(const TrialSetup& setup, std::size_t family) {
  const auto& own = setup.newcomer.families;
  return std::find(own.begin(), own.end(), family) != own.end();
}

// Of all families of the heuristic.
std::string settings_of(const TrialSetup& setup) {
  std::string text;
  for (const std::size_t k : setup.newcomer.families) {
    const std::string& settings = setup.space.features.families()[k].spec.settings;
    text += (text.empty() || settings.empty() ? "" : "; ") + settings;
  }
  return text;
}

// Keeps it in the records. What was found is worth showing also where it cannot be kept.
void keep(const HeuristicOffer& offer, const OfferTestSettings& settings, TrialSetup& setup,
          Remarks& remarks) {
  OfferRow row = offer_row(offer);
  row.plugin_sha256 = setup.heuristic.plugin_sha256;
  row.dataset_fingerprint = setup.space.dataset->fingerprint;
  row.side = settings.judges == Judges::kTest ? kTestSide : kHeldOutSide;
  for (const std::size_t k : setup.newcomer.families)
    row.newcomer.push_back(setup.space.features.families()[k].spec.name);
  row.trained_by = training_version();
  row.first_seed = settings.first_seed;
  const Status kept = keep_offer(setup.space.records, row);
  if (!kept.ok()) remarks.warn("the records do not keep this test: " + kept.error().message);
}

// What the offer test does not take from the experiment.
void remark_differences(const Experiment& experiment, Remarks& remarks) {
  const bool is_same = experiment.booster.name == "adaboost.mh" && !experiment.booster.settings.has("loss") &&
                       experiment.weak.name == "stump" && experiment.sampler.name == "laminating";
  if (!is_same)
    remarks.warn(fmt::format(
        "an offer is tested with stumps, adaboost.mh, its exponential loss and sampler laminating, "
        "whatever {} says; its heuristics and its data set are used",
        experiment.name));
}

Result<HeuristicOffer> offer_named(const TrialSettings& settings, const NamedHeuristic& named,
                                   const WorkContext& work) {
  if (settings.seeds < kLooks[0].num_seeds)
    return input_error("seeds: found {}; expected at least {}, after which the gain is looked at first",
                       settings.seeds, kLooks[0].num_seeds);
  MASH_ASSIGN(TrialSetup setup, prepare_trial(settings, named, work));
  OfferTestSettings test;
  test.first_seed = setup.experiment.seed;
  test.most_seeds = settings.seeds;
  test.seconds = settings.seconds;
  return offer_of(setup, test, work);
}

}  // namespace

Result<HeuristicOffer> offer_of(TrialSetup& setup, const OfferTestSettings& settings,
                                const WorkContext& work) {
  remark_differences(setup.experiment, work.remarks);
  MASH_ASSIGN(const OfferTest test, run_offer_test(setup.space, setup.newcomer, settings, work));
  const FeatureSet& features = setup.space.features;
  const Dataset& dataset = *setup.space.dataset;
  HeuristicOffer offer;
  offer.heuristic = setup.heuristic.id;
  offer.version = setup.heuristic.version;
  offer.settings = settings_of(setup);
  offer.experiment = setup.experiment.name;
  offer.dataset = dataset.name;
  offer.num_train = dataset.train.num_examples;
  offer.num_held_out = test.labels.size();
  offer.class_names = dataset.class_names;
  offer.figures = figures_of(features, setup.newcomer, test, settings.relevant);
  for (std::size_t k = 0; k < features.num_families(); ++k) {
    if (is_own(setup, k)) continue;
    offer.pool.push_back(features.families()[k].spec.name);
    offer.pool_microseconds.push_back(features.families()[k].microseconds_per_image);
  }
  offer.looks = test.looks;
  offer.base_rounds = test.rounds.base_rounds;
  offer.rounds = test.rounds.rounds;
  offer.classes = test.classes;
  offer.error_before = share_of_mistakes(test, &ExampleChange::predicted_before);
  offer.error_after = share_of_mistakes(test, &ExampleChange::predicted_after);
  offer.neighbours = nearest_of(setup, work.workers);
  offer.figures.nearest_cka = offer.neighbours[0].cka;
  offer.cost = cost_of(features, setup.newcomer.families);
  offer.warnings = setup.space.warnings();
  offer.extract_seconds = features.extract_seconds();
  offer.test_seconds = test.seconds;
  offer.num_played = test.num_played;
  offer.num_found = test.num_found;
  keep(offer, settings, setup, work.remarks);
  offer.seconds = setup.watch.seconds();
  return offer;
}

Diagnosed<HeuristicOffer> offer_heuristic(const TrialSettings& settings, const WorkContext& work,
                                          const OnFailedChecks& on_failed) {
  auto named = find_tried(settings, work, on_failed);
  if (!named.result.ok()) return {named.result.error(), std::move(named.diagnostics)};
  return {offer_named(settings, *named.result, work), std::move(named.diagnostics)};
}

}  // namespace mash
