// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/run_offer.hpp"

#include <fmt/format.h>

#include <array>

#include "framework/base/file.hpp"
#include "framework/base/statistics.hpp"
#include "framework/operations/offers/course.hpp"

namespace mash {

double OfferTest::share_of_mistakes(std::uint16_t ExampleChange::*predicted) const {
  std::size_t num_wrong = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) num_wrong += examples[i].*predicted != labels[i];
  return double(num_wrong) / double(labels.size());
}

Error no_pool_error(const FamilyGroup& newcomer) {
  return input_error("{}: no other heuristic is in the pool; expected others that it is offered beside",
                     newcomer.name);
}

Result<OfferTest> run_offer_test(const Workspace& space, const FamilyGroup& newcomer,
                                 const OfferTestSettings& settings, const WorkContext& work) {
  const FamilySubset pool = all_but(newcomer.families, space.features.num_families());
  if (pool.empty()) return no_pool_error(newcomer);
  MASH_TRY(enough_judges(*space.dataset, settings.judges));
  remove_old_files(space.store / "offers", kOfferCacheAge);
  const Stopwatch watch;
  OfferCourse course(space, pool, newcomer.families, settings, work);
  for (const Look& look : settings.looks) {
    if (course.is_over()) break;
    if (settings.on_play) settings.on_play(look);
    MASH_ASSIGN(const std::size_t num_taken,
                take_look(std::array{&course}, look, settings.seconds - watch.seconds(), work));
    MASH_TRY(space.check_faults());
    if (num_taken == 0) break;
    const OfferTest& test = course.so_far();
    const GainAtLook& seen = test.looks.back();
    work.remarks.tell(
        test.pool_wrong < kLeastWrong
            ? fmt::format("after {} seeds, {:.1f} s: the pool gets {:.3g} of {} pictures wrong",
                          look.num_seeds, test.seconds, test.pool_wrong, test.labels.size())
            : fmt::format(
                  "after {} seeds, {:.1f} s: gain {:+.2f} % of the log-loss, between {:+.2f} and {:+.2f}",
                  look.num_seeds, test.seconds, seen.gain, seen.interval.low, seen.interval.high));
    if (settings.on_look) settings.on_look(test);
  }
  return course.finish();
}

Status forget_offer_test(const Workspace& space, const FamilyGroup& newcomer,
                         const OfferTestSettings& settings, KeptPart part, const WorkContext& work) {
  const FamilySubset pool = all_but(newcomer.families, space.features.num_families());
  return OfferCourse(space, pool, newcomer.families, settings, work).forget(part);
}

OfferFigures figures_of(const Workspace& space, const FamilyGroup& newcomer, const OfferTest& test,
                        double relevant) {
  const FeatureSet& features = space.features;
  OfferFigures figures;
  figures.last = test.looks.back();
  figures.relevant = relevant;
  figures.placebo_gain = statistics_of(test.placebo_gains).mean;
  figures.progress = test.progress;
  figures.pool_wrong = test.pool_wrong;
  figures.num_judges = test.labels.size();
  figures.num_wins = test.num_wins;
  figures.num_duels = test.num_duels;
  for (std::size_t k = 0; k < features.num_families(); ++k) figures.pool_features += features.family_size(k);
  for (const std::size_t k : newcomer.families) figures.own_features += features.family_size(k);
  figures.pool_features -= figures.own_features;
  figures.num_candidates = std::min<std::uint64_t>(test.rounds.num_candidates, figures.pool_features);
  figures.num_offered = num_offered(test.rounds, figures.own_features);
  figures.single_error = test.single_error;
  figures.pool_error = test.share_of_mistakes(&ExampleChange::predicted_before);
  return figures;
}

}  // namespace mash
