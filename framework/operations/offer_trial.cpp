// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offer_trial.hpp"

#include "framework/operations/offer_summary.hpp"

namespace mash {
namespace {

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
                                   const WorkContext& work, const OnOffer& on_look) {
  if (settings.seeds < kLooks[0].num_seeds)
    return input_error("seeds: found {}; expected at least {}, after which the gain is looked at first",
                       settings.seeds, kLooks[0].num_seeds);
  MASH_ASSIGN(TrialSetup setup, prepare_trial(settings, named, work));
  OfferTestSettings test;
  test.first_seed = setup.experiment.seed;
  test.most_seeds = settings.seeds;
  test.seconds = settings.seconds;
  return offer_of(setup, test, work, on_look);
}

}  // namespace

Result<HeuristicOffer> offer_of(TrialSetup& setup, OfferTestSettings settings, const WorkContext& work,
                                const OnOffer& on_look) {
  remark_differences(setup.experiment, work.remarks);
  const std::vector<Neighbour> neighbours = nearest_of(setup, work.workers);
  HeuristicOffer offer;
  settings.on_look = [&](const OfferTest& test) {
    offer = offer_of(setup.space, setup.newcomer, test, settings.relevant, work.workers);
    offer.experiment = setup.experiment.name;
    offer.warnings = setup.space.warnings();
    set_neighbours(offer, neighbours);
    keep_offer_of(setup.space, setup.newcomer, offer, settings, kOwnBase, work.remarks);
    offer.seconds = setup.watch.seconds();
    on_look(offer);
  };
  MASH_ASSIGN(const OfferTest test, run_offer_test(setup.space, setup.newcomer, settings, work));
  // What was played after the last look.
  offer.test_seconds = test.seconds;
  offer.num_played = test.num_played;
  offer.num_found = test.num_found;
  offer.seconds = setup.watch.seconds();
  return offer;
}

Diagnosed<HeuristicOffer> offer_heuristic(const TrialSettings& settings, const WorkContext& work,
                                          const OnFailedChecks& on_failed, const OnOffer& on_look) {
  auto named = find_tried(settings, work, on_failed);
  if (!named.result.ok()) return {named.result.error(), std::move(named.diagnostics)};
  return {offer_named(settings, *named.result, work, on_look), std::move(named.diagnostics)};
}

}  // namespace mash
