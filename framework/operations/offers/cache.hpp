// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/result.hpp"

namespace mash {

// Scores of the examples that judge, by one seed's rounds: judges x K, scaled so that softmax gives the
// probabilities with the least log-loss.
using JudgedScores = std::vector<float>;

// The part of one seed of a pool that serves every newcomer.
struct PoolSeed {
  std::string base;       // the model before the rounds in question, serialised: it is seldom needed
  double base_loss = 0;   // the mean
  double base_scale = 1;  // with which it is the least
  JudgedScores control;
  std::map<std::uint32_t, double> placebo_gains;  // by the number of candidates, in per cent
  // Features on demand had given values that are not finite by then: the program that met them tells of them.
  bool has_met_faults = false;
};

// Errors (kFailure): it is no model.
Result<StrongClassifier> base_of(const PoolSeed& pool);

// Results of one seed of a newcomer beside a pool.
struct NewcomerSeed {
  std::vector<std::uint32_t> won;  // its features that were taken, one for each round that it won
  JudgedScores treated;
  bool has_met_faults = false;  // as in PoolSeed
};

// Keeps what offer tests trained, a file for each seed, so that they can be taken up where they stopped and
// newcomers share a pool's part. A file that is damaged is as if it were not there. [any thread, different
// seeds]
class OfferCache {
 public:
  // pool_key, newcomer_key: equal for what gives equal numbers.
  OfferCache(const std::filesystem::path& folder, const std::string& pool_key,
             const std::string& newcomer_key);

  std::optional<PoolSeed> find_pool(std::uint64_t seed) const;
  std::optional<NewcomerSeed> find_newcomer(std::uint64_t seed) const;
  // Errors (kFailure): the disk.
  Status keep(std::uint64_t seed, const PoolSeed& pool) const;
  Status keep(std::uint64_t seed, const NewcomerSeed& newcomer) const;

 private:
  std::filesystem::path pool_, newcomer_;  // the names of their files except the seed
};

}  // namespace mash
