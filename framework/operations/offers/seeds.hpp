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

// Plays some seeds side by side, each on its part of the processors, with one progress bar. play: called for
// each seed with its index. Errors: as Workers::try_each.
Status play_side_by_side(std::string_view title, std::size_t num_seeds, const WorkContext& work,
                         const std::function<Status(std::size_t seed_idx, const WorkContext&)>& play);

// The number of examples that are classified wrongly. scores: examples x classes; among equal ones the lowest
// class is predicted.
std::size_t num_mistaken(std::span<const float> scores, std::span<const std::uint16_t> labels);

// The model from which the rounds of one seed begin.
struct OfferBase {
  StrongClassifier model;
  std::uint32_t num_lacking = 0;  // hypotheses by which the pool fills it up
  // The gain that extra candidates of the pool alone give, in per cent; nothing: the seed's own rounds
  // measure it.
  std::optional<double> placebo_gain = {};
};

// The models from which the pool of an offer test begins.
struct OfferBeginning {
  std::string key = {};  // tells it, in the cache, from that of the pool trained by itself
  // Empty: the pool trained without the newcomer.
  std::function<Result<OfferBase>(const OfferGround& ground, std::uint64_t seed, const WorkContext& work)>
      base = {};
};

// The seeds of an offer test. It plays those that the cache lacks.
class OfferSeeds {
 public:
  // ground, labels (of the judges): outlive it. store: the folder of the feature store.
  OfferSeeds(const OfferGround& ground, std::span<const std::uint16_t> labels,
             const std::filesystem::path& store, OfferBeginning beginning);

  // Plays both parts of a seed (play_pool: only the pool's part), unless the cache holds them. Errors: of
  // training and the disk; kStopped. [any thread, different seeds]
  Status play(std::uint64_t seed, const WorkContext& work) { return play(seed, Part::kBoth, work); }
  Status play_pool(std::uint64_t seed, const WorkContext& work) { return play(seed, Part::kPool, work); }

  // Results of one seed.
  struct Played {
    PoolSeed pool;
    NewcomerSeed newcomer;
    double placebo_gain = 0;
  };
  // The kept results of a seed; find_pool: of the part that play_pool plays. Nothing where the cache lacks a
  // part, where it is damaged, or where an earlier program met values that are not finite in it. Such a seed
  // is played again, so that it meets these values again and they are reported.
  std::optional<Played> find(std::uint64_t seed) const;
  std::optional<PoolSeed> find_pool(std::uint64_t seed) const;

  // Removes a part of a seed from the cache. Errors (kFailure): the disk.
  Status forget(std::uint64_t seed, KeptPart part) const { return cache_.forget(seed, part); }

  // The number of candidates that the newcomer and the placebo have in a round.
  std::uint32_t num_offered() const;
  // The number of seeds that were played, each counted once.
  std::size_t num_played() const;

 private:
  enum class Part { kPool, kBoth };

  Status play(std::uint64_t seed, Part part, const WorkContext& work);
  // The kept part of a seed; nothing where an earlier program met values that are not finite in it.
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
