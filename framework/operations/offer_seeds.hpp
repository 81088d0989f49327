// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "classifiers/boosters/offer_rounds.hpp"
#include "framework/operations/offer_cache.hpp"

namespace mash {

// Where the pool of an offer test begins.
struct OfferBeginning {
  std::string key = {};  // tells it, in the cache, from that of the pool trained by itself
  std::function<Result<StrongClassifier>(const OfferGround& ground, std::uint64_t seed,
                                         const WorkContext& work)>
      base = train_base;
  // What more candidates of the pool gain by themselves, in per cent; empty: each seed's own rounds say it.
  std::function<double(std::uint64_t seed)> placebo_gain = {};
};

// The seeds of an offer test: played where the cache lacks them.
class OfferSeeds {
 public:
  // ground, labels (of the judges): outlive it. store: the folder of the feature store.
  OfferSeeds(const OfferGround& ground, std::span<const std::uint16_t> labels,
             const std::filesystem::path& store, OfferBeginning beginning);

  // Sees that the cache has a seed; of play_pool, its pool's part. Errors: of training and the disk;
  // kStopped. [any thread, different seeds]
  Status play(std::uint64_t seed, const WorkContext& work) { return play(seed, Part::kBoth, work); }
  Status play_pool(std::uint64_t seed, const WorkContext& work) { return play(seed, Part::kPool, work); }

  const OfferCache& cache() const { return cache_; }
  // How many candidates the newcomer and the placebo have in a round.
  std::uint32_t num_offered() const;
  std::size_t num_played() const { return num_played_; }
  std::size_t num_found() const { return num_found_; }

 private:
  enum class Part { kPool, kBoth };

  Status play(std::uint64_t seed, Part part, const WorkContext& work);
  JudgedScores judged(const OfferedRounds& rounds) const;
  double mean_loss(std::span<const float> scores) const;

  const OfferGround& ground_;
  std::span<const std::uint16_t> labels_;
  OfferBeginning beginning_;
  OfferCache cache_;
  std::atomic<std::size_t> num_played_{0}, num_found_{0};
};

}  // namespace mash
