// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offer_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <optional>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/analysis/log_loss.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/statistics.hpp"
#include "framework/operations/offer_cache.hpp"
#include "framework/operations/training_run.hpp"

namespace mash {
namespace {

constexpr std::chrono::hours kCacheAge{24 * 60};

FeatureSet pool_first(const FeatureSet& features, std::span<const std::size_t> newcomer) {
  FamilySubset order = all_but(newcomer, features.num_families());
  order.insert(order.end(), newcomer.begin(), newcomer.end());
  return features.subset(order);
}

// Pools with the same key give the same numbers.
std::string pool_key(const OfferGround& ground) {
  const OfferSettings& rounds = ground.settings;
  return sha256(fmt::format("{} {} {} {} {} {} {} {}\n", training_version(), ground.dataset.fingerprint,
                            checksum(std::as_bytes(ground.held_out)), rounds.base_rounds, rounds.rounds,
                            rounds.shrinkage, rounds.num_candidates, rounds.budget) +
                identities(ground.pool))
      .substr(0, 32);
}

std::string newcomer_key(const OfferGround& ground) {
  return sha256(fmt::format("{} {}\n", pool_key(ground), ground.settings.num_offered) +
                identities(ground.newcomer))
      .substr(0, 32);
}

double mean_of(std::span<const double> values) { return statistics_of(values).mean; }

class Test {
 public:
  Test(const Workspace& space, const FamilyGroup& newcomer, const OfferTestSettings& settings,
       const WorkContext& work)
      : dataset_(*space.dataset),
        pool_(space.features.subset(all_but(newcomer.families, space.features.num_families()))),
        newcomer_(space.features.subset(newcomer.families)),
        together_(pool_first(space.features, newcomer.families)),
        judges_(judging_examples(dataset_, settings.judges)),
        ground_{dataset_, pool_, newcomer_, together_, judges_.held_out, settings.rounds},
        settings_(settings),
        work_(work),
        cache_(space.store / "offers", pool_key(ground_), newcomer_key(ground_)),
        classes_(judges_.labels.size(), groups_by_class(judges_.labels, dataset_.num_classes())),
        rivals_(judges_.labels, dataset_.num_classes()),
        examples_(judges_.labels.size(), dataset_.num_classes()),
        test_{.rounds = settings.rounds,
              .looks = {},
              .losses = PairedLosses(judges_.labels.size()),
              .classes = {},
              .rivals = {},
              .examples = {},
              .placebo_gains = {},
              .wins = std::vector<std::uint32_t>(newcomer_.num_features()),
              .held_out = judges_.held_out,
              .labels = judges_.labels} {}

  Result<OfferTest> run() {
    MASH_TRY(check_judges(dataset_, settings_.judges, judges_));
    while (const Look* look = next_look(test_.losses.num_seeds())) {
      if (look->num_seeds > settings_.most_seeds) break;
      MASH_ASSIGN(const bool in_time, play_until(*look));
      if (!in_time) break;
      MASH_TRY(take_look(*look));
      if (is_settled(test_.looks.back(), settings_.relevant)) break;
    }
    test_.num_duels = std::uint64_t(settings_.rounds.rounds) * test_.losses.num_seeds();
    test_.num_played = num_played_;
    test_.num_found = num_found_;
    test_.seconds = watch_.seconds();
    return std::move(test_);
  }

 private:
  // How many candidates the newcomer and the placebo have in a round.
  std::uint32_t num_offered() const {
    return std::min(settings_.rounds.num_offered, std::uint32_t(newcomer_.num_features()));
  }

  // Sees that the cache has the seeds from the last look to this one; false where the time does not last. The
  // first look has time.
  Result<bool> play_until(const Look& look) {
    const std::size_t first = test_.losses.num_seeds(), count = look.num_seeds - first;
    std::atomic<std::size_t> num_done = 0;
    std::vector<std::optional<Error>> errors(count);
    const int num_beside = std::min(work_.workers.num_threads(), int(count));
    const Workers outer(num_beside);
    work_.progress.start(
        fmt::format("offer test, look {} at {} seeds", test_.looks.size() + 1, look.num_seeds), count,
        "seeds");
    outer.for_each_in_order(count, [&](std::size_t i) {
      const Workers inner(work_.workers.num_threads() / num_beside);
      const bool in_time = first == 0 || watch_.seconds() < settings_.seconds;
      if (!in_time || work_.stop.raised()) return;
      const Status played = play(settings_.first_seed + first + i, inner);
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

  Status play(std::uint64_t seed, const Workers& workers) {
    auto pool = cache_.find_pool(seed);
    auto newcomer = cache_.find_newcomer(seed);
    const bool has_placebo = pool && pool->placebo_gains.contains(num_offered());
    if (has_placebo && newcomer) {
      ++num_found_;
      return Done{};
    }
    ++num_played_;
    const WorkContext work{workers, no_progress(), work_.remarks, work_.stop};
    PoolSeed played;
    if (pool) played = *std::move(pool);
    if (!pool) {
      MASH_ASSIGN(played.base, train_base(ground_, seed, work));
    }
    const OfferRounds rounds(ground_, seed, played.base.hypotheses, workers);
    if (!pool) {
      played.base_loss = scaled_log_loss(rounds.base_scores(), judges_.labels).mean;
      played.control = judged(rounds.control());
    }
    if (!has_placebo) {
      const double control = mean_of(log_losses(played.control, judges_.labels));
      const double placebo = mean_of(log_losses(judged(rounds.placebo()), judges_.labels));
      played.placebo_gains[num_offered()] = 100 * std::log(control / placebo);
      MASH_TRY(cache_.keep(seed, played));
    }
    if (!newcomer) {
      OfferedRounds treated = rounds.treated();
      for (std::uint32_t& feature : treated.won) feature -= std::uint32_t(pool_.num_features());
      MASH_TRY(cache_.keep(seed, NewcomerSeed{treated.won, judged(treated)}));
    }
    return Done{};
  }

  JudgedScores judged(const OfferedRounds& rounds) const {
    const double scale = scaled_log_loss(rounds.scores, judges_.labels).scale;
    JudgedScores scores;
    for (const double score : rounds.scores) scores.push_back(float(scale * score));
    return scores;
  }

  // Adds a seed to what is known. From the cache one by one: all of them may not fit into memory.
  Status add(std::uint64_t seed) {
    const auto pool = cache_.find_pool(seed);
    const auto newcomer = cache_.find_newcomer(seed);
    if (!pool || !newcomer)
      return failure(
          "offer test: what was kept of seed {} was removed while others were played; the same "
          "command makes it again",
          seed);
    const std::vector<double> before = log_losses(pool->control, judges_.labels),
                              after = log_losses(newcomer->treated, judges_.labels);
    test_.losses.add(before, after);
    classes_.add(example_gains(before, after));
    rivals_.add(pool->control, newcomer->treated, gain_factor(before, after), work_.workers);
    examples_.add({pool->control, before}, {newcomer->treated, after});
    test_.placebo_gains.push_back(pool->placebo_gains.at(num_offered()));
    for (const std::uint32_t feature : newcomer->won) ++test_.wins[feature];
    test_.num_wins += newcomer->won.size();
    progress_.push_back(100 * std::log(pool->base_loss / mean_of(before)));
    return Done{};
  }

  Status take_look(const Look& look) {
    while (test_.losses.num_seeds() < look.num_seeds)
      MASH_TRY(add(settings_.first_seed + test_.losses.num_seeds()));
    test_.classes = classes_.parts();
    test_.rivals = rivals_.gains();
    test_.examples = examples_.changes();
    test_.progress = mean_of(progress_);
    // Few seeds may agree by chance: the pool's own spread says how far they can be trusted.
    test_.looks.push_back(gain_at(look, test_.losses, statistics_of(test_.placebo_gains).sd / 4));
    const GainAtLook& seen = test_.looks.back();
    work_.remarks.tell(
        fmt::format("after {} seeds, {:.1f} s: gain {:+.2f} % of the log-loss, between {:+.2f} "
                    "and {:+.2f}",
                    look.num_seeds, watch_.seconds(), seen.gain, seen.interval.low, seen.interval.high));
    return Done{};
  }

  Stopwatch watch_;
  const Dataset& dataset_;
  FeatureSet pool_, newcomer_, together_;
  JudgingExamples judges_;
  OfferGround ground_;
  const OfferTestSettings& settings_;
  const WorkContext& work_;
  OfferCache cache_;
  GroupedGains classes_;
  RivalGains rivals_;
  ExampleChanges examples_;
  std::vector<double> progress_;  // of each seed
  std::atomic<std::size_t> num_played_{0}, num_found_{0};
  OfferTest test_;
};

}  // namespace

Error no_pool_error(const FamilyGroup& newcomer) {
  return input_error("{}: no other heuristic is in the pool; expected others that it is offered beside",
                     newcomer.name);
}

Result<OfferTest> run_offer_test(const Workspace& space, const FamilyGroup& newcomer,
                                 const OfferTestSettings& settings, const WorkContext& work) {
  if (newcomer.families.size() == space.features.num_families()) return no_pool_error(newcomer);
  remove_old_files(space.store / "offers", kCacheAge);
  return Test(space, newcomer, settings, work).run();
}

OfferFigures figures_of(const FeatureSet& features, const FamilyGroup& newcomer, const OfferTest& test,
                        double relevant) {
  OfferFigures figures;
  figures.last = test.looks.back();
  figures.relevant = relevant;
  figures.placebo_gain = mean_of(test.placebo_gains);
  figures.progress = test.progress;
  figures.num_wins = test.num_wins;
  figures.num_duels = test.num_duels;
  for (std::size_t k = 0; k < features.num_families(); ++k) figures.pool_features += features.family_size(k);
  for (const std::size_t k : newcomer.families) figures.own_features += features.family_size(k);
  figures.pool_features -= figures.own_features;
  figures.num_candidates = std::min<std::uint64_t>(test.rounds.num_candidates, figures.pool_features);
  figures.num_offered = std::min<std::uint64_t>(test.rounds.num_offered, figures.own_features);
  return figures;
}

}  // namespace mash
