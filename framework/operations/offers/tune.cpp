// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/tune.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "framework/analysis/tuning/halves.hpp"
#include "framework/base/file.hpp"
#include "framework/base/statistics.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/experiment/heuristic_settings.hpp"
#include "framework/operations/offers/commands.hpp"
#include "framework/operations/offers/course.hpp"
#include "framework/operations/offers/summary.hpp"
#include "framework/operations/offers/variants.hpp"

namespace mash {
namespace {

constexpr double kShareOfRace = 2. / 3;  // of the time

// The halves of the judges, by their places.
Halves halves_of(const Dataset& dataset, const JudgingExamples& judges, std::uint64_t seed) {
  std::vector<std::uint32_t> groups;
  if (!dataset.train.groups.empty())
    for (const std::uint32_t n : judges.held_out) groups.push_back(dataset.train.groups[n]);
  return draw_halves(judges.labels, groups, seed);
}

std::vector<std::uint64_t> seeds_from(std::uint64_t first, std::size_t begin, std::size_t end) {
  std::vector<std::uint64_t> seeds(end - begin);
  std::iota(seeds.begin(), seeds.end(), first + begin);
  return seeds;
}

// The comparison, and the measurement after it.
class TuningCourse {
 public:
  // All outlive it.
  TuningCourse(const Workspace& space, const FamilySubset& pool, std::span<const FamilyGroup> variants,
               const OfferTestSettings& settings, const JudgingExamples& judges, const WorkContext& work)
      : space_(space),
        names_(variants),
        settings_(settings),
        work_(work),
        halves_(halves_of(*space.dataset, judges, settings.first_seed)),
        offers_(space, pool, variants, settings.rounds, judges),
        race_(variants.size(), halves_.choosing.size()) {}

  Status race() {
    while (race_.next_look() != 0 && race_.next_look() <= settings_.most_seeds) {
      const std::size_t look = race_.next_look();
      MASH_ASSIGN(const bool is_taken, take_race_look(look));
      if (!is_taken) {
        undone_ += fmt::format("The time was out after {} seeds of the comparison, of {}. ",
                               race_.num_seeds(), last_look());
        break;
      }
      race_.halve();
      tell_of_race();
    }
    return Done{};
  }

  Status measure() {
    const std::size_t best = race_.standings(placebo_sd()).best;
    const std::size_t most = std::min(kMeasuringSeeds, settings_.most_seeds);
    PairedLosses losses(halves_.measuring.size());
    for (const Look& look : kLooks) {
      if (look.num_seeds > most) break;
      MASH_ASSIGN(const bool is_taken, take_measuring_look(look.num_seeds, best, losses));
      if (is_taken) continue;
      undone_ += fmt::format("The time was out after {} seeds of the measurement, of {}. ",
                             losses.num_seeds(), most);
      break;
    }
    measured_ = gain_at({losses.num_seeds(), kMiss}, losses, placebo_sd() / 4);
    return Done{};
  }

  TunedOffers finish() const {
    const std::size_t num_played = offers_.num_played();
    return {.standings = race_.standings(placebo_sd()),
            .measured = measured_,
            .num_choosing = halves_.choosing.size(),
            .num_measuring = halves_.measuring.size(),
            .undone = undone_.empty() ? "" : undone_ + "The same command, given again, goes on.",
            .num_played = num_played,
            .num_found = offers_.num_asked() - std::min(num_played, offers_.num_asked())};
  }

 private:
  // The number of seeds of the last look that the comparison may take.
  std::size_t last_look() const {
    std::size_t last = 0;
    for (const std::size_t look : kRaceLooks)
      if (look <= settings_.most_seeds) last = look;
    return last;
  }

  // The seconds until `all` have passed since the beginning; the first look is taken in any case.
  double seconds_left(std::size_t num_seeds, double all) const {
    return num_seeds == 0 ? std::numeric_limits<double>::infinity() : all - watch_.seconds();
  }

  // Whether the time sufficed.
  Result<bool> take_race_look(std::size_t look) {
    const auto seeds = seeds_from(settings_.first_seed, race_.num_seeds(), look);
    const std::vector<std::size_t> running(race_.running().begin(), race_.running().end());
    MASH_ASSIGN(const bool is_played,
                offers_.play(seeds, running,
                             seconds_left(race_.num_seeds(), kShareOfRace * settings_.seconds), work_));
    MASH_TRY(space_.check_faults());
    if (!is_played) return false;
    for (const std::uint64_t seed : seeds) {
      MASH_ASSIGN(VariantLosses losses, offers_.losses(seed, running, halves_.choosing, work_));
      placebo_gains_.push_back(losses.placebo_gain);
      race_.add(std::move(losses.before), std::move(losses.after));
    }
    return true;
  }

  Result<bool> take_measuring_look(std::size_t look, std::size_t best, PairedLosses& losses) {
    const std::size_t begin = losses.num_seeds();
    const auto seeds = seeds_from(settings_.first_seed + kFreshSeeds, begin, look);
    MASH_ASSIGN(const bool is_played,
                offers_.play(seeds, std::array{best}, seconds_left(begin, settings_.seconds), work_));
    MASH_TRY(space_.check_faults());
    if (!is_played) return false;
    for (const std::uint64_t seed : seeds) {
      MASH_ASSIGN(const VariantLosses of_seed,
                  offers_.losses(seed, std::array{best}, halves_.measuring, work_));
      placebo_gains_.push_back(of_seed.placebo_gain);
      losses.add(of_seed.before, of_seed.after[0]);
    }
    return true;
  }

  void tell_of_race() const {
    const RaceStandings standings = race_.standings(placebo_sd());
    work_.remarks.tell(fmt::format(
        "after {} seeds, {:.1f} s: {} leads with {:+.2f} % of the log-loss; {} of {} variants go on",
        race_.num_seeds(), watch_.seconds(), names_[standings.best].name,
        standings.variants[standings.best].gain.gain, race_.running().size(), names_.size()));
  }

  double placebo_sd() const { return statistics_of(placebo_gains_).sd; }

  Stopwatch watch_;
  const Workspace& space_;
  std::span<const FamilyGroup> names_;
  const OfferTestSettings& settings_;
  const WorkContext& work_;
  Halves halves_;
  VariantOffers offers_;
  VariantRace race_;
  std::vector<double> placebo_gains_;  // of each seed
  GainAtLook measured_;
  std::string undone_;
};

// The variants that have features here.
struct FoundVariants {
  std::vector<FamilyGroup> groups;
  std::vector<std::size_t> places;  // among those that were given
  FamilySubset families;            // of all of them
};

// Errors (kInput): they are fewer than two.
Result<FoundVariants> found_variants(const Workspace& space, const HeuristicInfo& heuristic,
                                     std::span<const FamilySpec> given) {
  const std::vector<FamilyInfo>& families = space.features.families();
  FoundVariants found;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto family =
        std::ranges::find(families, given[i].name, [](const FamilyInfo& info) { return info.spec.name; });
    if (family == families.end()) continue;
    const auto k = std::size_t(family - families.begin());
    found.groups.push_back({given[i].name, {k}});
    found.places.push_back(i);
    found.families.push_back(k);
  }
  if (found.groups.size() >= 2) return found;
  std::vector<std::string> reasons;
  for (const LeftOut& left_out : space.features.left_out())
    if (left_out.heuristic == heuristic.id) reasons.push_back(left_out.reason);
  return input_error("heuristic {}: {} of {} variants have features here, expected two at least: {}",
                     heuristic.id, found.groups.size(), given.size(), fmt::join(reasons, "; "));
}

// A workspace with the pool and all variants, none of which has to be there.
struct TuningSpace {
  Workspace space;
  FoundVariants variants;
};

Result<TuningSpace> open_tuning_space(const TuneSettings& settings, OpenedTrial& trial,
                                      const WorkContext& work) {
  MASH_ASSIGN(std::vector<FamilySpec> specs, family_specs(trial.experiment, trial.catalogue));
  MASH_ASSIGN(specs,
              with_variants(std::move(specs), trial.heuristic, settings.variants, trial.experiment.seed));
  const auto given = std::span(specs).last(settings.variants.size());
  for (FamilySpec& spec : given) spec.named = false;
  const std::vector<FamilySpec> variants(given.begin(), given.end());
  MASH_ASSIGN(Workspace space, open_trial_workspace(settings, trial, std::move(specs), work));
  MASH_ASSIGN(FoundVariants found, found_variants(space, trial.heuristic, variants));
  return TuningSpace{std::move(space), std::move(found)};
}

HeuristicTuning tuning_to_show(const TuneSettings& settings, const OpenedTrial& trial,
                               const TuningSpace& tuning, const FamilySubset& pool) {
  const std::vector<FamilyInfo>& families = tuning.space.features.families();
  HeuristicTuning shown;
  shown.heuristic = trial.heuristic.id;
  shown.version = trial.heuristic.version;
  shown.experiment = trial.experiment.name;
  shown.dataset = tuning.space.dataset->name;
  shown.num_train = tuning.space.dataset->train.num_examples;
  for (const std::size_t k : pool) shown.pool.push_back(families[k].spec.name);
  for (std::size_t i = 0; i < tuning.variants.places.size(); ++i) {
    const Settings& own = settings.variants[tuning.variants.places[i]];
    const FamilyInfo& family = families[tuning.variants.families[i]];
    shown.variants.push_back(
        {own, describe_given(own), family.spec.name, family.dim, family.microseconds_per_image, {}});
  }
  for (const LeftOut& left_out : tuning.space.features.left_out())
    if (left_out.heuristic == trial.heuristic.id) shown.left_out.push_back(left_out.reason);
  shown.extract_seconds = tuning.space.features.extract_seconds();
  return shown;
}

void take_result(TunedOffers tuned, HeuristicTuning& shown) {
  for (std::size_t i = 0; i < shown.variants.size(); ++i)
    shown.variants[i].standing = tuned.standings.variants[i];
  shown.best = tuned.standings.best;
  shown.num_as_good = tuned.standings.num_as_good();
  shown.measured = tuned.measured;
  shown.num_choosing = tuned.num_choosing;
  shown.num_measuring = tuned.num_measuring;
  shown.undone = std::move(tuned.undone);
  shown.num_played = tuned.num_played;
  shown.num_found = tuned.num_found;
}

Result<HeuristicTuning> tune_opened(const TuneSettings& settings, OpenedTrial trial,
                                    const WorkContext& work) {
  const Stopwatch watch;
  MASH_ASSIGN(const TuningSpace tuning, open_tuning_space(settings, trial, work));
  const FamilySubset pool = all_but(tuning.variants.families, tuning.space.features.num_families());
  if (pool.empty()) return no_pool_error({trial.heuristic.id, {}});
  OfferTestSettings how;
  MASH_ASSIGN(how.rounds, offer_rounds_of(trial.experiment, work.remarks));
  how.first_seed = trial.experiment.seed;
  how.most_seeds = settings.seeds;
  how.seconds = settings.seconds;
  HeuristicTuning shown = tuning_to_show(settings, trial, tuning, pool);
  MASH_ASSIGN(TunedOffers tuned, tune_offers(tuning.space, pool, tuning.variants.groups, how, work));
  take_result(std::move(tuned), shown);
  shown.next_command = command_of_best(settings, shown.variants[shown.best].settings,
                                       trial.experiment.dataset, how.first_seed + kFreshSeeds);
  shown.seconds = watch.seconds();
  return shown;
}

}  // namespace

Result<TunedOffers> tune_offers(const Workspace& space, const FamilySubset& pool,
                                std::span<const FamilyGroup> variants, const OfferTestSettings& settings,
                                const WorkContext& work) {
  MASH_TRY(check_most_seeds(settings.most_seeds));
  MASH_ASSIGN(const JudgingExamples judges, enough_judges(*space.dataset, Judges::kHeldOut));
  remove_old_files(space.store / "offers", kOfferCacheAge);
  TuningCourse course(space, pool, variants, settings, judges, work);
  MASH_TRY(course.race());
  MASH_TRY(course.measure());
  return course.finish();
}

Diagnosed<HeuristicTuning> tune_heuristic(const TuneSettings& settings, const WorkContext& work,
                                          const OnFailedChecks& on_failed) {
  // Before anything is built and computed.
  if (const Status enough = check_most_seeds(settings.seeds); !enough.ok()) return {enough.error(), ""};
  auto [opened, diagnostics] = open_trial(settings, settings.variants, work, on_failed);
  if (!opened.ok()) return {opened.error(), std::move(diagnostics)};
  return {tune_opened(settings, *std::move(opened), work), std::move(diagnostics)};
}

}  // namespace mash
