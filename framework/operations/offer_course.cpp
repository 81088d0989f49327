// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offer_course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <optional>

#include "framework/analysis/log_loss.hpp"
#include "framework/base/statistics.hpp"
#include "framework/operations/training_run.hpp"

namespace mash {
namespace {

FeatureSet pool_first(const FeatureSet& features, std::span<const std::size_t> newcomer) {
  FamilySubset order = all_but(newcomer, features.num_families());
  order.insert(order.end(), newcomer.begin(), newcomer.end());
  return features.subset(order);
}

// Nothing where they are not looked at.
std::vector<Slice> slices_of_judges(const Dataset& dataset, const JudgingExamples& judges, bool by_slice,
                                    const Workers& workers) {
  if (!by_slice) return {};
  std::vector<std::uint32_t> examples = judges.held_out;
  if (examples.empty()) {
    examples.resize(dataset.test.num_examples);
    std::iota(examples.begin(), examples.end(), 0u);
  }
  const Split& side = judges.held_out.empty() ? dataset.test : dataset.train;
  return slices_of(picture_traits(side, examples, dataset.shape, workers));
}

std::vector<std::vector<std::size_t>> examples_of(std::span<const Slice> slices) {
  std::vector<std::vector<std::size_t>> examples;
  for (const Slice& slice : slices) examples.push_back(slice.examples);
  return examples;
}

}  // namespace

OfferCourse::OfferCourse(const Workspace& space, const FamilyGroup& newcomer,
                         const OfferTestSettings& settings, const WorkContext& work, OfferBeginning beginning)
    : dataset_(*space.dataset),
      pool_(space.features.subset(all_but(newcomer.families, space.features.num_families()))),
      newcomer_(space.features.subset(newcomer.families)),
      together_(pool_first(space.features, newcomer.families)),
      judges_(judging_examples(dataset_, settings.judges)),
      ground_{dataset_, pool_, newcomer_, together_, judges_.held_out, settings.rounds},
      settings_(settings),
      work_(work),
      seeds_(ground_, judges_.labels, space.store, std::move(beginning)),
      classes_(judges_.labels.size(), groups_by_class(judges_.labels, dataset_.num_classes())),
      rivals_(judges_.labels, dataset_.num_classes()),
      slices_(slices_of_judges(dataset_, judges_, settings.by_slice, work.workers)),
      slice_gains_(judges_.labels.size(), examples_of(slices_)),
      examples_(judges_.labels.size(), dataset_.num_classes()),
      test_{.rounds = settings.rounds,
            .looks = {},
            .losses = PairedLosses(judges_.labels.size()),
            .classes = {},
            .rivals = {},
            .slices = {},
            .examples = {},
            .placebo_gains = {},
            .wins = std::vector<std::uint32_t>(newcomer_.num_features()),
            .held_out = judges_.held_out,
            .labels = judges_.labels} {}

Result<std::optional<GainAtLook>> OfferCourse::take(const Look& look) {
  MASH_ASSIGN(const bool in_time, play_until(look));
  if (!in_time) return std::optional<GainAtLook>();
  while (test_.losses.num_seeds() < look.num_seeds)
    MASH_TRY(add(settings_.first_seed + test_.losses.num_seeds()));
  // Few seeds may agree by chance: the pool's own spread says how far they can be trusted.
  test_.looks.push_back(gain_at(look, test_.losses, statistics_of(test_.placebo_gains).sd / 4));
  return std::optional(test_.looks.back());
}

bool OfferCourse::is_over() const {
  const Look* next = next_look(test_.losses.num_seeds());
  return next == nullptr || next->num_seeds > settings_.most_seeds ||
         (!test_.looks.empty() && is_settled(test_.looks.back(), settings_.relevant, settings_.half_width));
}

const OfferTest& OfferCourse::so_far() {
  test_.num_duels = std::uint64_t(settings_.rounds.rounds) * test_.losses.num_seeds();
  test_.classes = classes_.parts();
  test_.rivals = rivals_.gains();
  test_.slices = slice_gains(slices_, slice_gains_.parts());
  test_.examples = examples_.changes();
  test_.progress = statistics_of(progress_).mean;
  test_.num_played = seeds_.num_played();
  test_.num_found = seeds_.num_found();
  test_.seconds = watch_.seconds();
  return test_;
}

OfferTest OfferCourse::finish() {
  so_far();
  return std::move(test_);
}

Result<bool> OfferCourse::play_until(const Look& look) {
  const std::size_t first = test_.losses.num_seeds(), count = look.num_seeds - first;
  std::atomic<std::size_t> num_done = 0;
  std::vector<std::optional<Error>> errors(count);
  const int num_beside = std::min(work_.workers.num_threads(), int(count));
  const Workers outer(num_beside);
  work_.progress.start(fmt::format("offer test, look {} at {} seeds", test_.looks.size() + 1, look.num_seeds),
                       count, "seeds");
  outer.for_each_in_order(count, [&](std::size_t i) {
    const Workers inner(work_.workers.num_threads() / num_beside);
    const bool in_time = first == 0 || watch_.seconds() < settings_.seconds;
    if (!in_time || work_.stop.raised()) return;
    const Status played =
        seeds_.play(settings_.first_seed + first + i, {inner, no_progress(), work_.remarks, work_.stop});
    if (!played.ok()) errors[i] = played.error();
    ++num_done;
    work_.progress.advance(1);
  });
  work_.progress.finish();
  if (work_.stop.raised()) return stopped_error();
  for (const auto& error : errors)
    if (error) return *error;
  return num_done == count;
}

// From the cache one by one: all of them may not fit into memory.
Status OfferCourse::add(std::uint64_t seed) {
  const auto pool = seeds_.cache().find_pool(seed);
  const auto newcomer = seeds_.cache().find_newcomer(seed);
  if (!pool || !newcomer || !pool->placebo_gains.contains(seeds_.num_offered()))
    return failure(
        "offer test: what was kept of seed {} was removed while others were played; the same command makes "
        "it "
        "again",
        seed);
  const std::vector<double> before = log_losses(pool->control, judges_.labels),
                            after = log_losses(newcomer->treated, judges_.labels);
  test_.losses.add(before, after);
  const std::vector<double> gains = example_gains(before, after);
  classes_.add(gains);
  slice_gains_.add(gains);
  rivals_.add(pool->control, newcomer->treated, gain_factor(before, after), work_.workers);
  examples_.add({pool->control, before}, {newcomer->treated, after});
  test_.placebo_gains.push_back(pool->placebo_gains.at(seeds_.num_offered()));
  for (const std::uint32_t feature : newcomer->won) ++test_.wins[feature];
  test_.num_wins += newcomer->won.size();
  progress_.push_back(100 * std::log(pool->base_loss / statistics_of(before).mean));
  return Done{};
}

}  // namespace mash
