// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classifiers/scan/stump_scan.hpp"
#include "framework/base/random.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"

namespace mash {

// Which round it is, for random streams: every choice of every round has its own.
struct Round {
  std::uint64_t seed = 0;
  std::uint32_t number = 0;  // from 1

  RandomStream stream(std::string_view purpose) const { return {seed, purpose, number}; }

  // For one search of the round: weak learners of several cuts make several, each with random numbers of its
  // own. index: of the search, from 0.
  Round search(std::uint32_t index) const {
    if (index == 0) return *this;
    return {RandomStream(seed, "round.search", index).next_u64(), number};
  }
};

// Size of a training, as a sampler knows it before the first round.
struct TrainingPlan {
  std::uint64_t seed = 0;
  std::uint32_t num_rounds = 0;
  Remarks& remarks = no_remarks();
};

// A strategy: which features on which examples a round looks at. It sees the data through the scan alone,
// which counts what is evaluated. A sampler belongs to one training run.
class Sampler {
 public:
  virtual ~Sampler() = default;

  // Called once, before the first round: stocks are filled here.
  // Errors (kInput): settings that do not fit the features.
  virtual Status start(StumpScan& scan, const TrainingPlan& plan);

  // Whether the families that its settings name are among these; asked before anything is computed.
  // Errors (kInput): one is not; lists the known ones.
  virtual Status check_families(std::span<const FamilySpec>) const { return Done{}; }

  // The feature with the largest edge among those looked at, with the weights of this round. A weak learner
  // of several cuts asks several times a round, each time with other weights and maybe fewer examples in
  // focus: scan.weights().num_examples().
  virtual std::uint32_t propose(StumpScan& scan, const Round& round) = 0;

  // The state after the rounds so far, as numbers that `restore` (after start) takes: with them a resumed run
  // equals a whole one.
  virtual std::vector<double> state() const { return {}; }
  virtual void restore(std::span<const double>) {}

  // Whether a round without an edge means that there is none to be found, and not that the draw was unlucky.
  virtual bool is_exhaustive() const { return false; }
};

// A sampler with its settings: makes one for each run. Any number of threads may call it at once.
using SamplerFactory = std::function<std::unique_ptr<Sampler>()>;

// The factory of a sampler class whose constructor takes these settings.
template <class OneSampler, class... Settings>
SamplerFactory sampler_factory(Settings... settings) {
  return [=] { return std::make_unique<OneSampler>(settings...); };
}

// Decides ties: of equals the one with the smallest number comes first. index: of a feature, family or arm.
using Priority = std::function<std::uint64_t(std::uint32_t index)>;

// The candidate with the largest merit; merits that differ by rounding are equal. priority: of a feature.
// REQUIRES: at least one.
const Candidate& best_of(std::span<const Candidate> candidates, const Priority& priority);

// Evaluates these features on all examples; the one with the largest edge. REQUIRES: at least one,
// increasing.
std::uint32_t best_of_all(StumpScan& scan, const Round& round, std::span<const std::uint32_t> features);
// The same of features that are offered in this round, which is written into the ledger.
std::uint32_t best_of_offered(StumpScan& scan, const Round& round, std::span<const std::uint32_t> features);

// The indices of the `count` largest scores, the largest first, or of all where there are fewer.
std::vector<std::uint32_t> largest(std::span<const double> scores, std::size_t count,
                                   const Priority& priority);

// The index of the largest score. REQUIRES: at least one.
std::uint32_t argmax(std::span<const double> scores, const Priority& priority);

// The features [first, last) of a family, or all, as a list.
std::vector<std::uint32_t> feature_range(std::uint32_t first, std::uint32_t last);

}  // namespace mash
