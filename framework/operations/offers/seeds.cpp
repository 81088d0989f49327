// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/seeds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "classifiers/model/model_file.hpp"
#include "framework/analysis/log_loss.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/statistics.hpp"
#include "framework/operations/training/seed_run.hpp"

namespace mash {
namespace {

// Pools with the same key give the same numbers.
std::string pool_key(const OfferGround& ground, const std::string& beginning) {
  const OfferSettings& rounds = ground.settings;
  return sha256(fmt::format("{} {} {} {} {} {} {} {}\n", training_version(), ground.dataset.fingerprint,
                            checksum(std::as_bytes(ground.held_out)), rounds.base_rounds, rounds.rounds,
                            rounds.shrinkage, rounds.num_candidates, rounds.budget) +
                identities(ground.pool) + beginning)
      .substr(0, 32);
}

std::string newcomer_key(const OfferGround& ground, const std::string& beginning) {
  const auto& members = ground.settings.members;
  return sha256(fmt::format("{} {}{}\n", pool_key(ground, beginning), ground.settings.num_offered,
                            members.empty() ? "" : fmt::format(" of each {}", fmt::join(members, " "))) +
                identities(ground.newcomer))
      .substr(0, 32);
}

bool has_met_faults(const FeatureSet& features) {
  return std::ranges::any_of(features.families_with_faults(),
                             [](const FamilyInfo& family) { return family.lazy && family.num_faults > 0; });
}

}  // namespace

Status play_side_by_side(std::string_view title, std::size_t num_seeds, const WorkContext& work,
                         const std::function<Status(std::size_t, const WorkContext&)>& play) {
  const int num_beside = std::clamp(int(num_seeds), 1, work.workers.num_threads());
  work.progress.start(std::string(title), num_seeds, "seeds");
  const Status played = Workers(num_beside).try_each(num_seeds, work.stop, [&](std::size_t i) -> Status {
    const Workers inner(work.workers.num_threads() / num_beside);
    MASH_TRY(play(i, {inner, no_progress(), work.remarks, work.stop}));
    work.progress.advance(1);
    return Done{};
  });
  work.progress.finish();
  if (work.stop.raised()) return stopped_error();
  return played;
}

std::size_t num_mistaken(std::span<const float> scores, std::span<const std::uint16_t> labels) {
  const std::size_t num_classes = scores.size() / labels.size();
  std::size_t num_wrong = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const auto row = scores.subspan(n * num_classes, num_classes);
    num_wrong += std::size_t(std::ranges::max_element(row) - row.begin()) != labels[n];
  }
  return num_wrong;
}

OfferSeeds::OfferSeeds(const OfferGround& ground, std::span<const std::uint16_t> labels,
                       const std::filesystem::path& store, OfferBeginning beginning)
    : ground_(ground),
      labels_(labels),
      beginning_(std::move(beginning)),
      cache_(store / "offers", pool_key(ground, beginning_.key), newcomer_key(ground, beginning_.key)) {}

std::uint32_t OfferSeeds::num_offered() const {
  return std::uint32_t(mash::num_offered(ground_.settings, ground_.newcomer.num_features()));
}

std::size_t OfferSeeds::num_played() const {
  const std::lock_guard lock(mutex_);
  return played_.size();
}

template <class Kept>
std::optional<Kept> OfferSeeds::if_known(std::uint64_t seed, std::optional<Kept> kept) const {
  if (!kept || !kept->has_met_faults) return kept;
  const std::lock_guard lock(mutex_);
  return played_.contains(seed) ? std::move(kept) : std::nullopt;
}

std::optional<PoolSeed> OfferSeeds::find_pool(std::uint64_t seed) const {
  auto pool = if_known(seed, cache_.find_pool(seed));
  return pool && pool->placebo_gains.contains(num_offered()) ? std::move(pool) : std::nullopt;
}

std::optional<OfferSeeds::Played> OfferSeeds::find(std::uint64_t seed) const {
  auto pool = find_pool(seed);
  if (!pool) return std::nullopt;
  auto newcomer = if_known(seed, cache_.find_newcomer(seed));
  if (!newcomer) return std::nullopt;
  const double placebo_gain = pool->placebo_gains.at(num_offered());
  return Played{*std::move(pool), *std::move(newcomer), placebo_gain};
}

Result<OfferBase> OfferSeeds::begin(std::uint64_t seed, const WorkContext& work) const {
  if (beginning_.base) return beginning_.base(ground_, seed, work);
  MASH_ASSIGN(StrongClassifier trained, train_base(ground_, seed, work));
  return OfferBase{std::move(trained)};
}

Status OfferSeeds::play(std::uint64_t seed, Part part, const WorkContext& work) {
  std::optional<PoolSeed> kept = if_known(seed, cache_.find_pool(seed));
  const bool has_pool = kept.has_value(),
             has_placebo = has_pool && kept->placebo_gains.contains(num_offered()),
             has_newcomer = part == Part::kPool || if_known(seed, cache_.find_newcomer(seed)).has_value();
  if (has_placebo && has_newcomer) return Done{};
  {
    const std::lock_guard lock(mutex_);
    played_.insert(seed);
  }
  PoolSeed pool = has_pool ? *std::move(kept) : PoolSeed{};
  OfferBase base;
  if (!has_pool || (beginning_.base && !has_placebo)) {
    MASH_ASSIGN(base, begin(seed, work));
  }
  if (has_pool) {
    MASH_ASSIGN(base.model, base_of(pool));
  }
  OfferRounds rounds(ground_, seed, base.model.hypotheses, work.workers);
  if (!has_pool)
    std::ranges::move(rounds.fill_up(base.num_lacking), std::back_inserter(base.model.hypotheses));
  if (work.stop.raised()) return stopped_error();
  const bool plays_placebo = !has_placebo && !base.placebo_gain;
  std::vector<Offered> lacking;
  if (!has_pool) lacking.push_back(Offered::kNothing);
  if (plays_placebo) lacking.push_back(Offered::kMoreOfPool);
  if (!has_newcomer) lacking.push_back(Offered::kNewcomer);
  const std::vector<OfferedRounds> played = rounds.play(lacking);
  auto next = played.begin();
  if (!has_pool) {
    const ScaledLogLoss of_base = scaled_log_loss(rounds.base_scores(), labels_);
    pool.base = serialise(Model(std::move(base.model)));
    pool.base_loss = of_base.mean;
    pool.base_scale = of_base.scale;
    pool.control = judged(*next++, of_base.scale);
  }
  if (!has_placebo) {
    pool.placebo_gains[num_offered()] =
        plays_placebo ? 100 * std::log(mean_loss(pool.control) / mean_loss(judged(*next++, pool.base_scale)))
                      : *base.placebo_gain;
    // Another process may have kept what it found with as many candidates of its own.
    if (auto by_now = cache_.find_pool(seed); by_now && !by_now->has_met_faults)
      pool.placebo_gains.merge(by_now->placebo_gains);
    pool.has_met_faults = has_met_faults(ground_.pool);
    MASH_TRY(cache_.keep(seed, pool));
  }
  if (has_newcomer) return Done{};
  std::vector<std::uint32_t> won = next->won;
  for (std::uint32_t& feature : won) feature -= std::uint32_t(ground_.pool.num_features());
  return cache_.keep(
      seed, NewcomerSeed{std::move(won), judged(*next, pool.base_scale), has_met_faults(ground_.together)});
}

JudgedScores OfferSeeds::judged(const OfferedRounds& rounds, double near) const {
  const double scale = best_scale(rounds.scores, labels_, near);
  JudgedScores scores;
  for (const double score : rounds.scores) scores.push_back(float(scale * score));
  return scores;
}

double OfferSeeds::mean_loss(std::span<const float> scores) const {
  return statistics_of(log_losses(scores, labels_)).mean;
}

}  // namespace mash
