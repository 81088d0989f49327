// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "framework/analysis/log_loss.hpp"
#include "framework/analysis/single_feature.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

FeatureSet pool_first(const FeatureSet& features, FamilySubset pool, const FamilySubset& newcomer) {
  pool.insert(pool.end(), newcomer.begin(), newcomer.end());
  return features.subset(pool);
}

// Nothing where they are not looked at.
std::vector<Slice> slices_of_judges(const Dataset& dataset, const JudgingExamples& judges, bool in_detail,
                                    const Workers& workers) {
  if (!in_detail) return {};
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

OfferCourse::OfferCourse(const Workspace& space, const FamilySubset& pool, const FamilySubset& newcomer,
                         const OfferTestSettings& settings, const WorkContext& work, OfferBeginning beginning)
    : dataset_(*space.dataset),
      pool_(space.features.subset(pool)),
      newcomer_(space.features.subset(newcomer)),
      together_(pool_first(space.features, pool, newcomer)),
      judges_(judging_examples(dataset_, settings.judges)),
      ground_{dataset_, pool_, newcomer_, together_, judges_.held_out, settings.rounds},
      settings_(settings),
      work_(work),
      seeds_(ground_, judges_.labels, space.store, std::move(beginning)),
      classes_(judges_.labels.size(), groups_by_class(judges_.labels, dataset_.num_classes())),
      slices_(slices_of_judges(dataset_, judges_, settings.in_detail, work.workers)),
      slice_gains_(judges_.labels.size(), examples_of(slices_)),
      examples_(judges_.labels.size(), dataset_.num_classes()),
      test_{.rounds = settings.rounds,
            .looks = {},
            .sums = {},
            .losses = PairedLosses(judges_.labels.size()),
            .classes = {},
            .rivals = {},
            .slices = {},
            .examples = {},
            .placebo_gains = {},
            .wins = std::vector<std::uint32_t>(newcomer_.num_features()),
            .held_out = judges_.held_out,
            .labels = judges_.labels} {
  if (settings.in_detail) rivals_.emplace(judges_.labels, dataset_.num_classes());
}

Status OfferCourse::play(std::uint64_t seed, const WorkContext& work) { return seeds_.play(seed, work); }

const std::vector<std::uint64_t>& OfferCourse::lacking(const Look& look) {
  for (; num_looked_for_ < look.num_seeds; ++num_looked_for_)
    if (const std::uint64_t seed = settings_.first_seed + num_looked_for_; !seeds_.find(seed))
      lacking_.push_back(seed);
  return lacking_;
}

Status OfferCourse::take(const Look& look) {
  while (test_.losses.num_seeds() < look.num_seeds)
    MASH_TRY(add(settings_.first_seed + test_.losses.num_seeds()));
  lacking_.clear();
  test_.num_found = test_.losses.num_seeds() - seeds_.num_played();
  // Few seeds may agree by chance: the pool's own spread says how far they can be trusted.
  test_.looks.push_back(gain_at(look, test_.losses, statistics_of(test_.placebo_gains).sd / 4));
  test_.sums.push_back(test_.losses.gain_sums());
  return Done{};
}

bool OfferCourse::is_over(Aim aim) const {
  if (next() == nullptr || next()->num_seeds > settings_.most_seeds) return true;
  if (test_.looks.empty()) return false;
  const GainAtLook& last = test_.looks.back();
  if (settings_.precision) return last.interval.high - last.interval.low <= 2 * *settings_.precision;
  return aim == Aim::kDecide ? is_settled(last, settings_.relevant, settings_.half_width)
                             : is_narrow_enough(last, settings_.half_width, settings_.most_seeds);
}

const OfferTest& OfferCourse::so_far() {
  test_.num_played = seeds_.num_played();
  test_.seconds = watch_.seconds();
  if (num_summed_up_ == test_.losses.num_seeds()) return test_;
  if (num_summed_up_ == 0)
    test_.single_error = best_single_feature(newcomer_, dataset_, test_.held_out, work_.workers).error;
  num_summed_up_ = test_.losses.num_seeds();
  test_.num_duels = std::uint64_t(settings_.rounds.rounds) * test_.losses.num_seeds();
  const double factor = test_.losses.gain_factor();
  test_.classes = classes_.parts(factor);
  if (rivals_) test_.rivals = rivals_->gains(factor);
  test_.slices = slice_gains(slices_, slice_gains_.parts(factor));
  test_.examples = examples_.changes(factor);
  const auto num_seeds = double(test_.losses.num_seeds());
  test_.progress = 100 * std::log(sum_of_base_losses_ / num_seeds / test_.losses.mean_before());
  test_.pool_wrong = double(num_wrong_) / num_seeds;
  return test_;
}

OfferTest OfferCourse::finish() {
  so_far();
  return std::move(test_);
}

Status OfferCourse::forget(KeptPart part) const {
  for (std::size_t i = 0; i < settings_.most_seeds; ++i)
    MASH_TRY(seeds_.forget(settings_.first_seed + i, part));
  return Done{};
}

// From the cache one by one: all of them may not fit into memory.
Status OfferCourse::add(std::uint64_t seed) {
  auto kept = seeds_.find(seed);
  if (!kept) {
    MASH_TRY(play(seed, work_));
    kept = seeds_.find(seed);
  }
  if (!kept)
    return failure(
        "offer test: what was kept of seed {} was removed at once, or the disk is full; the same "
        "command makes it again",
        seed);
  const std::vector<double> before = log_losses(kept->pool.control, judges_.labels),
                            after = log_losses(kept->newcomer.treated, judges_.labels);
  test_.losses.add(before, after);
  if (settings_.on_seed) settings_.on_seed(after);
  const std::vector<double> differences = loss_differences(before, after);
  classes_.add(differences);
  examples_.add({kept->pool.control, before}, {kept->newcomer.treated, after});
  slice_gains_.add(differences);
  if (rivals_) rivals_->add(kept->pool.control, kept->newcomer.treated, work_.workers);
  test_.placebo_gains.push_back(kept->placebo_gain);
  for (const std::uint32_t feature : kept->newcomer.won) ++test_.wins[feature];
  test_.num_wins += kept->newcomer.won.size();
  sum_of_base_losses_ += kept->pool.base_loss;
  num_wrong_ += num_mistaken(kept->pool.control, judges_.labels);
  return Done{};
}

Result<std::size_t> take_look(std::span<OfferCourse* const> tests, const Look& look, double seconds_left,
                              const WorkContext& work) {
  const Stopwatch watch;
  struct Task {
    std::size_t test_idx;
    std::uint64_t seed;
  };
  work.workers.for_each_in_order(tests.size(), [&](std::size_t i) { tests[i]->lacking(look); });
  std::vector<Task> tasks;
  for (std::size_t i = 0; i < tests.size(); ++i)
    for (const std::uint64_t seed : tests[i]->lacking(look)) tasks.push_back({i, seed});
  std::vector<std::atomic<bool>> is_late(tests.size());
  MASH_TRY(play_side_by_side(fmt::format("offer test, look at {} seeds", look.num_seeds), tasks.size(), work,
                             [&](std::size_t i, const WorkContext& inner) -> Status {
                               const Task& task = tasks[i];
                               if (tests[task.test_idx]->is_first(look) || watch.seconds() < seconds_left)
                                 return tests[task.test_idx]->play(task.seed, inner);
                               is_late[task.test_idx] = true;
                               return Done{};
                             }));
  std::atomic<std::size_t> num_taken = 0;
  const Status taken = work.workers.try_each(tests.size(), work.stop, [&](std::size_t i) -> Status {
    if (is_late[i]) return Done{};
    ++num_taken;
    return tests[i]->take(look);
  });
  if (work.stop.raised()) return stopped_error();
  MASH_TRY(taken);
  return num_taken.load();
}

}  // namespace mash
