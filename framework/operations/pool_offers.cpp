// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/pool_offers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "framework/base/file.hpp"
#include "framework/operations/offer_course.hpp"
#include "framework/operations/training_run.hpp"

namespace mash {
namespace {

// A model without the hypotheses of one of its families.
StrongClassifier without_family(StrongClassifier model, std::size_t family) {
  std::erase_if(model.hypotheses,
                [&](const Hypothesis& hypothesis) { return hypothesis.cuts[0].family_idx == family; });
  for (Hypothesis& hypothesis : model.hypotheses)
    for (Cut& cut : hypothesis.cuts) cut.family_idx -= cut.family_idx > family;
  model.families.erase(model.families.begin() + std::ptrdiff_t(family));
  return model;
}

// The pool of all families, of which those of the tests are made.
class WholePool {
 public:
  WholePool(const Workspace& space, const OfferTestSettings& settings, const WorkContext& work)
      : judges_(judging_examples(*space.dataset, settings.judges)),
        ground_{*space.dataset, space.features,   space.features,
                space.features, judges_.held_out, settings.rounds},
        work_(work),
        seeds_(ground_, judges_.labels, space.store, {}) {}

  // Has these seeds at hand. Errors: of training and the disk; kStopped.
  Status prepare(std::uint64_t first_seed, std::size_t count) {
    std::vector<std::optional<Error>> errors(count);
    const int num_beside = std::min(work_.workers.num_threads(), int(count));
    work_.progress.start("training the pool", count, "seeds");
    Workers(num_beside).for_each_in_order(count, [&](std::size_t i) {
      if (work_.stop.raised()) return;
      const Workers inner(work_.workers.num_threads() / num_beside);
      const Status kept = keep(first_seed + i, {inner, no_progress(), work_.remarks, work_.stop});
      if (!kept.ok()) errors[i] = kept.error();
      work_.progress.advance(1);
    });
    work_.progress.finish();
    if (work_.stop.raised()) return stopped_error();
    for (const auto& error : errors)
      if (error) return *error;
    return Done{};
  }

  // REQUIRES: of it, seeds that are prepared.
  OfferBeginning without(std::size_t family) const {
    OfferBeginning beginning;
    beginning.key = "from the pool of:\n" + identities(ground_.pool);
    beginning.base = [this, family](const OfferGround& ground, std::uint64_t seed,
                                    const WorkContext& work) -> Result<StrongClassifier> {
      MASH_ASSIGN(const StrongClassifier all, base_of(models_.at(seed)));
      StrongClassifier model = without_family(all, family);
      const auto num_lacking = std::uint32_t(all.hypotheses.size() - model.hypotheses.size());
      const auto more = OfferRounds(ground, seed, model.hypotheses, work.workers).more_of_pool(num_lacking);
      model.hypotheses.insert(model.hypotheses.end(), more.begin(), more.end());
      return model;
    };
    beginning.placebo_gain = [this](std::uint64_t seed) {
      return models_.at(seed).placebo_gains.at(seeds_.num_offered());
    };
    return beginning;
  }

 private:
  Status keep(std::uint64_t seed, const WorkContext& work) {
    MASH_TRY(seeds_.play_pool(seed, work));
    auto pool = seeds_.cache().find_pool(seed);
    if (!pool) return failure("offer test: what was kept of seed {} was removed at once", seed);
    const std::lock_guard lock(mutex_);
    models_.emplace(seed, *std::move(pool));
    return Done{};
  }

  JudgingExamples judges_;
  OfferGround ground_;
  const WorkContext& work_;
  OfferSeeds seeds_;
  std::mutex mutex_;
  std::map<std::uint64_t, PoolSeed> models_;
};

}  // namespace

Result<std::vector<OfferTest>> run_pool_offers(const Workspace& space, const OfferTestSettings& settings,
                                               const WorkContext& work) {
  MASH_TRY(check_judges(*space.dataset, settings.judges, judging_examples(*space.dataset, settings.judges)));
  remove_old_files(space.store / "offers", kOfferCacheAge);
  const Stopwatch watch;
  WholePool whole(space, settings, work);
  std::vector<std::unique_ptr<OfferCourse>> courses;
  const WorkContext quiet{work.workers, no_progress(), work.remarks, work.stop};
  for (std::size_t k = 0; k < space.features.num_families(); ++k)
    courses.push_back(std::make_unique<OfferCourse>(
        space, FamilyGroup{space.features.families()[k].spec.name, {k}}, settings, quiet, whole.without(k)));
  std::size_t num_seeds = 0;
  for (const Look& look : kLooks) {
    std::vector<OfferCourse*> open;
    for (const auto& course : courses)
      if (!course->is_over()) open.push_back(course.get());
    if (open.empty() || (num_seeds > 0 && watch.seconds() >= settings.seconds)) break;
    MASH_TRY(whole.prepare(settings.first_seed + num_seeds, look.num_seeds - num_seeds));
    num_seeds = look.num_seeds;
    work.progress.start(fmt::format("offer tests, look at {} seeds", num_seeds), open.size(), "families");
    for (OfferCourse* course : open) {
      MASH_ASSIGN(const auto seen, course->take(look));
      if (!seen) break;  // the others have no time either
      work.progress.advance(1);
    }
    work.progress.finish();
    const auto num_open =
        std::count_if(courses.begin(), courses.end(), [](const auto& course) { return !course->is_over(); });
    work.remarks.tell(fmt::format("after {} seeds, {:.1f} s: {} of {} families decided", num_seeds,
                                  watch.seconds(), std::ptrdiff_t(courses.size()) - num_open,
                                  courses.size()));
  }
  std::vector<OfferTest> tests;
  for (const auto& course : courses) tests.push_back(course->finish());
  return tests;
}

}  // namespace mash
