// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "classifiers/offers/rounds.hpp"
#include "framework/operations/offers/cache.hpp"

namespace mash {

// Plays some seeds side by side, each with its part of the processors, under one bar. play: one of them, by
// its number. Errors: as Workers::try_each.
Status play_side_by_side(std::string_view title, std::size_t num_seeds, const WorkContext& work,
                         const std::function<Status(std::size_t seed_idx, const WorkContext&)>& play);

// The beginning of the rounds of one seed.
struct OfferBase {
  StrongClassifier model;
  std::uint32_t num_lacking = 0;  // hypotheses by which the pool fills it up
  // Gain of more candidates of the pool by themselves, in per cent; nothing: the seed's own rounds say it.
  std::optional<double> placebo_gain = {};
};

// Where the pool of an offer test begins.
struct OfferBeginning {
  std::string key = {};  // tells it, in the cache, from that of the pool trained by itself
  // Empty: the pool trained by itself.
  std::function<Result<OfferBase>(const OfferGround& ground, std::uint64_t seed, const WorkContext& work)>
      base = {};
};

// The seeds of an offer test: played where the cache lacks them.
class OfferSeeds {
 public:
  // ground, labels (of the judges): outlive it. store: the folder of the feature store.
  OfferSeeds(const OfferGround& ground, std::span<const std::uint16_t> labels,
             const std::filesystem::path& store, OfferBeginning beginning);

  // Makes sure the cache holds the seed: both parts; play_pool: the pool's part only. Errors: of training and
  // the disk; kStopped. [any thread, different seeds]
  Status play(std::uint64_t seed, const WorkContext& work) { return play(seed, Part::kBoth, work); }
  Status play_pool(std::uint64_t seed, const WorkContext& work) { return play(seed, Part::kPool, work); }

  // Results of one seed.
  struct Played {
    PoolSeed pool;
    NewcomerSeed newcomer;
    double placebo_gain = 0;
  };
  // Nothing where the cache lacks some of it, or it is damaged, or it met values that are not finite in an
  // earlier program: played again, it meets them again, and they are told. find_pool: of what play_pool
  // plays.
  std::optional<Played> find(std::uint64_t seed) const;
  std::optional<PoolSeed> find_pool(std::uint64_t seed) const;

  // How many candidates the newcomer and the placebo have in a round.
  std::uint32_t num_offered() const;
  // Seeds that were played, each counted once.
  std::size_t num_played() const;

 private:
  enum class Part { kPool, kBoth };

  Status play(std::uint64_t seed, Part part, const WorkContext& work);
  // The part of a seed that is kept, unless an earlier program met values that are not finite with it.
  template <class Kept>
  std::optional<Kept> if_known(std::uint64_t seed, std::optional<Kept> kept) const;
  Result<OfferBase> begin(std::uint64_t seed, const WorkContext& work) const;
  // near: the scale of the base's scores.
  JudgedScores judged(const OfferedRounds& rounds, double near) const;
  double mean_loss(std::span<const float> scores) const;

  const OfferGround& ground_;
  std::span<const std::uint16_t> labels_;
  OfferBeginning beginning_;
  OfferCache cache_;
  mutable std::mutex mutex_;
  std::set<std::uint64_t> played_;
};

}  // namespace mash
