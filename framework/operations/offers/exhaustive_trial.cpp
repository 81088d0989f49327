// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/exhaustive_trial.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/analysis/gain_parts.hpp"
#include "framework/operations/offers/summary.hpp"
#include "framework/operations/training/subset_trainer.hpp"

namespace mash {
namespace {

constexpr std::uint32_t kFewestRounds = 300;
constexpr std::size_t kFewestSeeds = 2;
constexpr double kAlpha = .05;  // of the one look at all seeds

Status check(const ExhaustiveTrySettings& settings, Remarks& remarks) {
  if (settings.seeds < kFewestSeeds)
    return input_error("seeds: found {}; expected at least {}, whose spread tells how sure the gain is",
                       settings.seeds, kFewestSeeds);
  if (settings.rounds < kFewestRounds)
    remarks.warn(fmt::format(
        "{} rounds: what a heuristic adds to models of fewer than {} says little of what it adds to longer "
        "ones",
        settings.rounds, kFewestRounds));
  return Done{};
}

// The trainings of some sets of families, with every seed each.
class SetTrainings {
 public:
  explicit SetTrainings(std::span<const std::uint64_t> seeds) : seeds_(seeds) {}

  // Returns the number of the set.
  std::size_t want(const FamilySubset& families) {
    for (const std::uint64_t seed : seeds_) jobs_.push_back({families, seed, false});
    return jobs_.size() / seeds_.size() - 1;
  }
  Status run(SubsetTrainer& trainer) {
    MASH_ASSIGN(const auto runs, trainer.run(jobs_));
    for (const SubsetRun& run : runs) tests_.push_back(run.test);
    return Done{};
  }
  // REQUIRES: run.
  std::span<const TestRun> of(std::size_t set) const {
    return std::span(tests_).subspan(set * seeds_.size(), seeds_.size());
  }
  PairedLosses losses(std::size_t before, std::size_t after) const {
    PairedLosses losses(tests_[0].losses.size());
    for (std::size_t s = 0; s < seeds_.size(); ++s) losses.add(of(before)[s].losses, of(after)[s].losses);
    return losses;
  }
  GainAtLook gain(std::size_t before, std::size_t after) const {
    return gain_at(Look{seeds_.size(), kAlpha}, losses(before, after), 0);
  }
  std::vector<GainPart> classes(std::size_t before, std::size_t after, std::span<const std::uint16_t> labels,
                                std::size_t num_classes) const {
    GroupedGains classes(labels.size(), groups_by_class(labels, num_classes));
    for (std::size_t s = 0; s < seeds_.size(); ++s)
      classes.add(loss_differences(of(before)[s].losses, of(after)[s].losses));
    return classes.parts(losses(before, after).gain_factor());
  }

 private:
  std::span<const std::uint64_t> seeds_;
  std::vector<SubsetJob> jobs_;
  std::vector<TestRun> tests_;
};

// The trial as known before any training.
ExhaustiveTrial described(const TrialSetup& setup, std::uint32_t rounds) {
  const FeatureSet& features = setup.space.features;
  const Dataset& dataset = *setup.space.dataset;
  ExhaustiveTrial trial;
  trial.heuristic = setup.heuristic.id;
  trial.version = setup.heuristic.version;
  trial.settings = settings_of(features, setup.newcomer);
  trial.experiment = setup.experiment.name;
  trial.dataset = dataset.name;
  trial.num_train = dataset.train.num_examples;
  trial.class_names = dataset.class_names;
  for (const std::size_t k : all_but(setup.newcomer.families, features.num_families())) {
    trial.pool.push_back(features.families()[k].spec.name);
    if (const double cost = features.families()[k].microseconds_per_image; std::isfinite(cost))
      trial.pool_microseconds.push_back(cost);
  }
  trial.rounds = rounds;
  trial.seeds = setup.seeds;
  trial.sampler = describe_part(setup.experiment.sampler);
  trial.neighbours = setup.neighbours;
  trial.cost = cost_of(features, setup.newcomer.families);
  trial.warnings = setup.space.warnings;
  trial.extract_seconds = features.extract_seconds();
  return trial;
}

Result<ExhaustiveTrial> train_all(TrialSetup& setup, std::uint32_t rounds, const WorkContext& work) {
  setup.experiment.booster.settings.add("rounds", std::to_string(rounds), "rounds");
  const std::size_t num_families = setup.space.features.num_families();
  const FamilySubset& own = setup.newcomer.families;
  const FamilySubset pool = all_but(own, num_families);
  if (pool.empty()) return no_pool_error(setup.newcomer);
  MASH_ASSIGN(SubsetTrainer trainer,
              SubsetTrainer::make(setup.experiment, setup.space, work, Judges::kHeldOut));
  ExhaustiveTrial trial = described(setup, rounds);

  SetTrainings trainings(setup.seeds);
  const std::size_t before = trainings.want(pool), after = trainings.want(all_but({}, num_families)),
                    alone = trainings.want(own);
  std::optional<std::size_t> instead;
  if (pool.size() > 1) {
    const std::size_t nearest = pool[trial.neighbours[0].family_idx];
    instead = trainings.want(all_but(FamilySubset{nearest}, num_families));
  }
  MASH_TRY(trainings.run(trainer));
  trial.num_held_out = trainer.labels().size();
  trial.gain = trainings.gain(before, after);
  if (instead) trial.replaced = trainings.gain(before, *instead);
  trial.classes = trainings.classes(before, after, trainer.labels(), trial.class_names.size());
  trial.error_before = mean_error(trainings.of(before));
  trial.error_after = mean_error(trainings.of(after));
  trial.alone_error = mean_error(trainings.of(alone));
  trial.num_trained = trainer.num_trained();
  trial.num_found = trainer.num_found();
  trial.seconds = setup.watch.seconds();
  return trial;
}

}  // namespace

Diagnosed<ExhaustiveTrial> try_exhaustively(const ExhaustiveTrySettings& settings, const WorkContext& work,
                                            const OnFailedChecks& on_failed) {
  // Before anything is built and computed.
  if (const Status sound = check(settings, work.remarks); !sound.ok()) return {sound.error(), ""};
  auto [setup, diagnostics] = prepare_trial(settings, work, on_failed);
  if (!setup.ok()) return {setup.error(), std::move(diagnostics)};
  return {train_all(*setup, settings.rounds, work), std::move(diagnostics)};
}

}  // namespace mash
