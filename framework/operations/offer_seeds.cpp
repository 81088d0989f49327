// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offer_seeds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "classifiers/model/model_file.hpp"
#include "framework/analysis/log_loss.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/statistics.hpp"
#include "framework/operations/training_run.hpp"

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
  return sha256(fmt::format("{} {}\n", pool_key(ground, beginning), ground.settings.num_offered) +
                identities(ground.newcomer))
      .substr(0, 32);
}

}  // namespace

OfferSeeds::OfferSeeds(const OfferGround& ground, std::span<const std::uint16_t> labels,
                       const std::filesystem::path& store, OfferBeginning beginning)
    : ground_(ground),
      labels_(labels),
      beginning_(std::move(beginning)),
      cache_(store / "offers", pool_key(ground, beginning_.key), newcomer_key(ground, beginning_.key)) {}

std::uint32_t OfferSeeds::num_offered() const {
  return std::uint32_t(
      std::min<std::uint64_t>(ground_.settings.num_offered, ground_.newcomer.num_features()));
}

Status OfferSeeds::play(std::uint64_t seed, Part part, const WorkContext& work) {
  std::optional<PoolSeed> pool = cache_.find_pool(seed);
  const bool has_pool = pool.has_value(),
             has_placebo = has_pool && pool->placebo_gains.contains(num_offered());
  const bool has_newcomer = part == Part::kPool || cache_.find_newcomer(seed).has_value();
  if (has_placebo && has_newcomer) {
    ++num_found_;
    return Done{};
  }
  ++num_played_;
  if (!has_pool) {
    pool.emplace();
    MASH_ASSIGN(const StrongClassifier trained, beginning_.base(ground_, seed, work));
    pool->base = serialise(Model(trained));
  }
  MASH_ASSIGN(const StrongClassifier base, base_of(*pool));
  const OfferRounds rounds(ground_, seed, base.hypotheses, work.workers);
  if (!has_pool) {
    pool->base_loss = scaled_log_loss(rounds.base_scores(), labels_).mean;
    pool->control = judged(rounds.control());
  }
  if (!has_placebo) {
    pool->placebo_gains[num_offered()] =
        beginning_.placebo_gain
            ? beginning_.placebo_gain(seed)
            : 100 * std::log(mean_loss(pool->control) / mean_loss(judged(rounds.placebo())));
    MASH_TRY(cache_.keep(seed, *pool));
  }
  if (has_newcomer) return Done{};
  OfferedRounds treated = rounds.treated();
  for (std::uint32_t& feature : treated.won) feature -= std::uint32_t(ground_.pool.num_features());
  return cache_.keep(seed, NewcomerSeed{treated.won, judged(treated)});
}

JudgedScores OfferSeeds::judged(const OfferedRounds& rounds) const {
  const double scale = scaled_log_loss(rounds.scores, labels_).scale;
  JudgedScores scores;
  for (const double score : rounds.scores) scores.push_back(float(scale * score));
  return scores;
}

double OfferSeeds::mean_loss(std::span<const float> scores) const {
  return statistics_of(log_losses(scores, labels_)).mean;
}

}  // namespace mash
