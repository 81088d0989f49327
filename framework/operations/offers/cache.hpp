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

// Scores of the judging examples after one seed's rounds: judges x K. They are scaled so that softmax gives
// the probabilities with the smallest log-loss.
using JudgedScores = std::vector<float>;

// The part of a pool's seed that serves every newcomer.
struct PoolSeed {
  std::string base;       // the model before the rounds in question, serialised: it is seldom needed
  double base_loss = 0;   // the mean
  double base_scale = 1;  // the scale of the scores that makes it smallest
  JudgedScores control;
  std::map<std::uint32_t, double> placebo_gains;  // by the number of candidates, in per cent
  // Whether features on demand gave values that are not finite. The program that met them tells of them.
  bool has_met_faults = false;
};

// The pool's model before the offers. Errors (kFailure): the kept text is no model.
Result<StrongClassifier> base_of(const PoolSeed& pool);

// Results of one seed of a newcomer beside a pool.
struct NewcomerSeed {
  std::vector<std::uint32_t> won;  // its features that were taken, one for each round that it won
  JudgedScores treated;
  bool has_met_faults = false;  // as in PoolSeed
};

// A part of what is kept of a seed: that of the newcomer alone, or that of the pool too.
enum class KeptPart { kNewcomer, kBoth };

// Keeps what offer tests trained, in a file for each seed. So a test can go on where it stopped, and
// newcomers share a pool's part. A damaged file counts as missing. [any thread, different seeds]
class OfferCache {
 public:
  // pool_key, newcomer_key: equal where the trainings would give equal numbers.
  OfferCache(const std::filesystem::path& folder, const std::string& pool_key,
             const std::string& newcomer_key);

  std::optional<PoolSeed> find_pool(std::uint64_t seed) const;
  std::optional<NewcomerSeed> find_newcomer(std::uint64_t seed) const;
  // Errors (kFailure): the disk.
  Status keep(std::uint64_t seed, const PoolSeed& pool) const;
  Status keep(std::uint64_t seed, const NewcomerSeed& newcomer) const;
  // Removes what is there of this part. Errors (kFailure): the disk.
  Status forget(std::uint64_t seed, KeptPart part) const;

 private:
  std::filesystem::path pool_, newcomer_;  // the names of their files except the seed
};

}  // namespace mash
