// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/first_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "framework/dataset/readers/formats.hpp"
#include "framework/dataset/split.hpp"
#include "framework/families/extraction_plan.hpp"
#include "framework/families/stored_family.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/offers/commands.hpp"
#include "framework/operations/offers/run_offer.hpp"
#include "framework/operations/offers/single_pictures.hpp"
#include "framework/operations/offers/summary.hpp"

namespace mash {
namespace {

constexpr std::array kFirstLooks{Look{8, .05}};
constexpr std::size_t kMuchSmaller = 3;  // times as many pictures as the part has, at least

// A family of the trial, and the time that it takes.
struct ExpectedFamily {
  FamilySpec spec;
  std::uint32_t dim = 0;
  bool is_own = false;       // of the heuristic that is tried
  bool is_stored = false;    // for all pictures
  bool is_measured = false;  // whether the rest is known
  double setup_seconds = 0;
  double seconds_per_picture = 0;  // wall seconds

  double seconds_for(double num_pictures) const { return setup_seconds + seconds_per_picture * num_pictures; }
};

// The families that open. Those that do not are for the full test to tell of.
Result<std::vector<ExpectedFamily>> expected_families(const TrySettings& settings, OpenedTrial& trial,
                                                      const ExtractionContext& context) {
  MASH_ASSIGN(std::vector<FamilySpec> specs, families_of_trial(settings, trial));
  MASH_ASSIGN(const StoreSettings store, store_settings_of(trial.experiment, settings.workspace));
  MASH_TRY(match_columns(specs, context.dataset));
  std::vector<ExpectedFamily> families;
  for (FamilySpec& spec : specs) {
    const auto dim = family_dim(spec, context);
    if (!dim.ok()) continue;
    const bool is_own = spec.heuristic.id == trial.heuristic.id;
    const bool is_stored = stored_bytes(spec, store, context.dataset) > 0;
    families.push_back({.spec = std::move(spec), .dim = *dim, .is_own = is_own, .is_stored = is_stored});
  }
  return families;
}

// Errors: kStopped.
Status measure(ExpectedFamily& family, const ExtractionContext& context) {
  if (context.work.stop.raised()) return Error{ErrorKind::kStopped, "stopped"};
  if (std::exchange(family.is_measured, true)) return Done{};
  const Dataset& pictures = context.dataset;
  ExtractionCost cost = measure_cost(family.spec, family.dim, context);
  family.setup_seconds = std::exchange(cost.setup_seconds, 0);
  family.seconds_per_picture = extraction_seconds(family.dim, cost, context) /
                               double(pictures.train.num_examples + pictures.test.num_examples);
  return Done{};
}

// The seconds to extract what the store lacks. Once they are `enough`, no more families are measured.
Result<double> seconds_of_missing(std::vector<ExpectedFamily>& families, double enough,
                                  const ExtractionContext& context) {
  const Dataset& pictures = context.dataset;
  double seconds = 0;
  for (ExpectedFamily& family : families) {
    if (family.is_stored || seconds >= enough) continue;
    MASH_TRY(measure(family, context));
    seconds += family.seconds_for(double(pictures.train.num_examples + pictures.test.num_examples));
  }
  return seconds;
}

// The training pictures of the part: fewer where the heuristic itself would take most of the time.
std::size_t num_of_part(std::span<const ExpectedFamily> families, const FirstAnswerLimits& limits) {
  double own = 0;
  for (const ExpectedFamily& family : families)
    if (family.is_own) own += family.seconds_per_picture;
  const auto most = double(limits.num_train);
  const double affordable = own > 0 ? limits.seconds / 2 / own : most;
  return std::size_t(std::clamp(affordable, std::min(double(limits.fewest_train), most), most));
}

// The families that fit into the time, in their order, and those that do not.
struct ChosenFamilies {
  std::vector<FamilySpec> specs;
  std::vector<FirstAnswer::LeftOut> left_out;
};
ChosenFamilies choose_families(std::span<const ExpectedFamily> families, const Dataset& part,
                               const StoreSettings& store, double most_seconds) {
  std::vector<double> seconds;
  for (const ExpectedFamily& family : families)
    seconds.push_back(
        stored_bytes(family.spec, store, part) > 0 ? 0 : family.seconds_for(double(part.train.num_examples)));
  std::vector<std::size_t> cheapest_first(families.size());
  std::iota(cheapest_first.begin(), cheapest_first.end(), std::size_t(0));
  std::ranges::stable_sort(cheapest_first, {}, [&](std::size_t i) { return seconds[i]; });
  std::vector<bool> is_chosen(families.size());
  double sum = 0;
  std::size_t num_beside = 0;
  for (const std::size_t i : cheapest_first) {
    const bool is_own = families[i].is_own;
    is_chosen[i] = is_own || num_beside == 0 || sum + seconds[i] <= most_seconds;
    if (!is_chosen[i] || is_own) continue;
    sum += seconds[i];
    ++num_beside;
  }
  ChosenFamilies chosen;
  for (std::size_t i = 0; i < families.size(); ++i) {
    if (is_chosen[i])
      chosen.specs.push_back(families[i].spec);
    else
      chosen.left_out.push_back(
          {families[i].spec.name, fmt::format("takes about {:.2g} s on these pictures", seconds[i])});
  }
  return chosen;
}

// watch: since the beginning of it all.
Result<FirstAnswer> test_part(const TrySettings& settings, OpenedTrial& trial,
                              std::vector<ExpectedFamily> families, const FirstAnswerLimits& limits,
                              const Stopwatch& watch, const ExtractionContext& context) {
  const WorkContext& work = context.work;
  work.progress.start("measuring", families.size(), "families");
  for (ExpectedFamily& family : families) {
    work.progress.note(family.spec.name);
    MASH_TRY(measure(family, context));
    work.progress.advance(1);
  }
  work.progress.finish();
  const Dataset& all = *settings.pictures;
  Dataset part = part_of_training(all, num_of_part(families, limits), trial.experiment.seed);
  part.fingerprint = fingerprint_of(part);
  TrySettings of_part = settings;
  of_part.pictures = std::make_shared<const Dataset>(std::move(part));
  MASH_ASSIGN(const StoreSettings store, store_settings_of(trial.experiment, settings.workspace));
  ChosenFamilies chosen = choose_families(families, *of_part.pictures, store, limits.seconds);
  MASH_ASSIGN(auto matched, families_for(chosen.specs, *of_part.pictures));
  // Warnings are those of the full test, which gives them once more.
  const WorkContext quiet{work.workers, work.progress, no_remarks(), work.stop};
  MASH_ASSIGN(TrialSetup setup,
              prepare_opened_trial(of_part,
                                   OpenedTrial{trial.experiment, std::move(trial.catalogue), trial.heuristic},
                                   quiet, std::move(matched)));
  OfferTestSettings how;
  MASH_ASSIGN(how.rounds, offer_rounds_of(setup.experiment, quiet.remarks));
  how.first_seed = setup.first_seed;
  how.looks = {kFirstLooks.begin(), kFirstLooks.end()};
  MASH_ASSIGN(const OfferTest test, run_offer_test(setup.space, setup.newcomer, how, quiet));
  FirstAnswer answer;
  answer.offer = offer_of(setup.space, setup.newcomer, test, how.relevant);
  set_neighbours(answer.offer, setup.neighbours);
  MASH_ASSIGN(answer.offer.figures.knows_single_pictures,
              knows_single_pictures(setup.space, setup.newcomer, test, quiet));
  answer.num_all_train = all.train.num_examples;
  answer.left_out = std::move(chosen.left_out);
  trial.catalogue = std::move(setup.space.catalogue);
  answer.seconds = watch.seconds();
  return answer;
}

}  // namespace

Result<std::shared_ptr<const Dataset>> pictures_of_trial(const TrySettings& settings,
                                                         const Experiment& experiment,
                                                         const WorkContext& work) {
  if (settings.pictures) return settings.pictures;
  MASH_ASSIGN(Dataset loaded, load_experiment_dataset(experiment, work));
  return std::make_shared<const Dataset>(std::move(loaded));
}

Result<FirstAnswer> answer_first(const TrySettings& settings, OpenedTrial& trial, const WorkContext& work,
                                 const FirstAnswerLimits& limits) {
  const Stopwatch watch;
  const ExtractionContext context{trial.catalogue.host(), *settings.pictures, work};
  MASH_ASSIGN(auto families, expected_families(settings, trial, context));
  return test_part(settings, trial, std::move(families), limits, watch, context);
}

Result<std::optional<FirstAnswer>> answer_early(const TrySettings& settings, OpenedTrial& trial,
                                                const WorkContext& work, const FirstAnswerLimits& limits) {
  const Dataset& pictures = *settings.pictures;
  std::optional<FirstAnswer> none;
  if (pictures.is_table() || pictures.train.is_endless() ||
      pictures.train.num_examples < kMuchSmaller * limits.num_train)
    return none;
  const Stopwatch watch;
  const ExtractionContext context{trial.catalogue.host(), pictures, work};
  MASH_ASSIGN(auto families, expected_families(settings, trial, context));
  MASH_ASSIGN(const double seconds, seconds_of_missing(families, limits.long_seconds, context));
  if (seconds < limits.long_seconds) return none;
  MASH_ASSIGN(FirstAnswer answer, test_part(settings, trial, std::move(families), limits, watch, context));
  return std::optional(std::move(answer));
}

Diagnosed<FirstAnswer> give_first_answer(const TrySettings& settings, const WorkContext& work,
                                         const OnFailedChecks& on_failed) {
  auto [opened, diagnostics] = open_trial(settings, {}, work, on_failed);
  if (!opened.ok()) return {opened.error(), std::move(diagnostics)};
  const auto answer = [&, &trial = *opened]() -> Result<FirstAnswer> {
    TrySettings with_pictures = settings;
    MASH_ASSIGN(with_pictures.pictures, pictures_of_trial(settings, trial.experiment, work));
    MASH_TRY(refuse_endless(*with_pictures.pictures, trial.experiment.dataset.where));
    MASH_TRY(check_has_images(*with_pictures.pictures, trial.experiment));
    MASH_ASSIGN(FirstAnswer given, answer_first(with_pictures, trial, work));
    given.full_command = command_of_try(settings, trial.experiment.dataset);
    return given;
  };
  return {answer(), std::move(diagnostics)};
}

}  // namespace mash
