// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/booster.hpp"
#include "classifiers/boosters/reservoir_plan.hpp"
#include "classifiers/boosters/round_loop.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Reservoir boosting (Lefakis & Fleuret 2013): LogitBoost, one class against all others, that at any time
// knows the r examples of a reservoir and q fresh ones.
class Reservoir final : public Booster {
 public:
  struct Options {
    std::uint32_t num_rounds = 250;  // of each binary problem
    ScanMode scan = ScanMode::kI16;
    ReservoirSettings reservoir;
  };

  explicit Reservoir(const Options& options) : options_(options) {}

  std::uint32_t num_rounds(std::size_t num_classes) const override {
    return rounds_of_all(options_.num_rounds, num_classes);
  }
  Status check(const WeakLearner& weak) const override;
  Result<TrainingResult> train(const SearchParts& search, std::uint64_t seed,
                               const TrainingContext& context) const override;

 private:
  Options options_;
};

// Reads rounds, keep, size, fresh, alpha_weights, scan and what the strategies read; the
// caller refuses the rest.
Result<std::unique_ptr<const Booster>> make_reservoir(Settings& settings);

}  // namespace mash
