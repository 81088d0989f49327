// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/summary.hpp"

#include <fmt/ranges.h>

#include <cmath>
#include <set>

#include "classifiers/samplers/laminating.hpp"
#include "framework/analysis/similarity.hpp"
#include "framework/base/hash.hpp"
#include "framework/operations/experiment/held_settings.hpp"
#include "framework/operations/training/seed_run.hpp"
#include "framework/records/offer_details.hpp"

namespace mash {
namespace {

// The strategies of an experiment that are not those of the rounds of an offer test: "booster.loss=savage,
// sampler full". Empty where there are none.
std::string not_followed(const Experiment& experiment) {
  std::vector<std::string> others;
  const auto look_at = [&](std::string_view what, const NamedSettings& part, std::string_view name,
                           const std::set<std::string, std::less<>>& followed) {
    if (part.name != name) {
      others.push_back(fmt::format("{} {}", what, part.name));
      return;
    }
    for (const HeldSetting& setting : held_settings(what, part))
      if (!setting.is_default && !followed.contains(setting.key))
        others.push_back(fmt::format("{}.{}={}", what, setting.key, setting.value));
  };
  look_at("booster", experiment.booster, "adaboost.mh", {"rounds"});
  look_at("weak", experiment.weak, "stump", {});
  look_at("sampler", experiment.sampler, "laminating", {"features", "budget"});
  return fmt::format("{}", fmt::join(others, ", "));
}

}  // namespace

Result<OfferSettings> offer_rounds_of(const Experiment& experiment, Remarks& remarks) {
  MASH_TRY(check_has_booster(experiment, "heuristics are offered to the rounds of a booster"));
  OfferSettings rounds;
  Settings sampler = experiment.sampler.settings;
  const bool is_laminating = experiment.sampler.name == "laminating";
  if (is_laminating) {
    MASH_ASSIGN(const std::uint64_t num_candidates, auto_or_integer(sampler, "features"));
    if (num_candidates > 0) rounds.num_candidates = std::uint32_t(num_candidates);
    MASH_ASSIGN(rounds.budget, sampler.real("budget", rounds.budget, 1e-6, 1e9));
  }
  const std::string others = not_followed(experiment);
  if (!others.empty())
    remarks.warn(fmt::format(
        "the offer test does not follow {} of {}: it is made with booster adaboost.mh, its exponential loss, "
        "stumps, and sampler laminating with {} candidates and budget {}",
        others, experiment.name, rounds.num_candidates, rounds.budget));
  return rounds;
}

Status check_most_seeds(std::size_t most_seeds) {
  if (most_seeds >= kLooks[0].num_seeds) return Done{};
  return input_error("seeds: found {}; expected at least {}, after which the gain is looked at first",
                     most_seeds, kLooks[0].num_seeds);
}

std::string settings_of(const FeatureSet& features, const FamilyGroup& newcomer) {
  std::string text;
  for (const std::size_t k : newcomer.families) {
    const std::string& settings = features.families()[k].spec.settings;
    text += (text.empty() || settings.empty() ? "" : "; ") + settings;
  }
  return text;
}

HeuristicOffer offer_of(const Workspace& space, const FamilyGroup& newcomer, const OfferTest& test,
                        double relevant) {
  const FeatureSet& features = space.features;
  const HeuristicInfo& heuristic = features.families()[newcomer.families[0]].spec.heuristic;
  HeuristicOffer offer;
  offer.heuristic = heuristic.id;
  offer.name = newcomer.name;
  offer.version = heuristic.version;
  offer.settings = settings_of(features, newcomer);
  offer.plugin_sha256 = heuristic.plugin_sha256;
  offer.dataset = space.dataset->name;
  offer.pictures.num_train = space.dataset->train.num_examples;
  offer.pictures.num_held_out = test.labels.size();
  if (test.held_out.empty()) offer.pictures.judges = space.dataset->judging_side;
  offer.pictures.class_names = space.dataset->class_names;
  offer.figures = figures_of(space, newcomer, test, relevant);
  for (const std::size_t k : all_but(newcomer.families, features.num_families())) {
    offer.pool.push_back(features.families()[k].spec.name);
    if (const double cost = features.families()[k].microseconds_per_image; std::isfinite(cost))
      offer.pool_microseconds.push_back(cost);
  }
  offer.looks = test.looks;
  offer.base_rounds = test.rounds.base_rounds;
  offer.rounds = test.rounds.rounds;
  offer.classes = test.classes;
  offer.error_before = test.share_of_mistakes(&ExampleChange::predicted_before);
  offer.error_after = test.share_of_mistakes(&ExampleChange::predicted_after);
  offer.cost = cost_of(features, newcomer.families);
  offer.work.extract_seconds = features.extract_seconds();
  offer.work.test_seconds = test.seconds;
  offer.work.num_played = test.num_played;
  offer.work.num_found = test.num_found;
  return offer;
}

std::vector<Neighbour> nearest_of(std::span<const cv::Mat> columns, const FamilyGroup& newcomer,
                                  const Workers& workers) {
  std::vector<cv::Mat> own, others;
  for (const std::size_t k : newcomer.families) own.push_back(columns[k]);
  for (const std::size_t k : all_but(newcomer.families, columns.size())) others.push_back(columns[k]);
  return neighbours_of(side_by_side(own), others, workers);
}

void set_neighbours(HeuristicOffer& offer, std::vector<Neighbour> neighbours) {
  offer.neighbours = std::move(neighbours);
  offer.figures.nearest_cka = offer.neighbours[0].cka;
}

std::optional<OfferRow> keep_offer_of(Workspace& space, const FamilyGroup& newcomer, HeuristicOffer& offer,
                                      const OfferTestSettings& settings, std::string_view base,
                                      Remarks& remarks) {
  OfferRow row = offer_row(offer);
  row.heuristic = space.features.families()[newcomer.families[0]].spec.heuristic.id;
  row.dataset_fingerprint = space.dataset->fingerprint;
  row.side = settings.judges == Judges::kTest ? kTestSide : kHeldOutSide;
  for (const std::size_t k : newcomer.families)
    row.newcomer.push_back(space.features.families()[k].spec.name);
  row.base = base;
  const OfferSettings& rounds = settings.rounds;
  // pool_key has the names of the pool's families; rebuilt, they are another ground.
  const std::string builds =
      identities(space.features, all_but(newcomer.families, space.features.num_families()));
  row.trained_by = fmt::format(
      "{}, offer procedure {}, {} + {} rounds, {} + {} candidates, budget {}, builds of the pool {}",
      training_version(), row.procedure, rounds.base_rounds, rounds.rounds, rounds.num_candidates,
      rounds.num_offered, rounds.budget, sha256(builds).substr(0, 12));
  row.first_seed = settings.first_seed;
  const Status kept = keep_offer(space.records, row);
  if (!kept.ok()) remarks.warn("the records do not keep this test: " + kept.error().message);
  auto history = past_offers(space.records, row);
  if (history.ok()) offer.history = *std::move(history);
  return kept.ok() ? std::optional(std::move(row)) : std::nullopt;
}

void keep_sums_of(Records& records, const OfferRow& offer, const OfferTest& test, Remarks& remarks) {
  for (std::size_t i = 0; i < test.looks.size(); ++i) {
    const Status kept = keep_offer_sums(records, offer, test.looks[i].look.num_seeds, test.sums[i]);
    if (kept.ok()) continue;
    remarks.warn("the records do not keep the sums of this test: " + kept.error().message);
    return;
  }
}

}  // namespace mash
