// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>

#include "classifiers/boosters/loop/booster.hpp"
#include "classifiers/boosters/whole_side/round.hpp"
#include "classifiers/losses/exponential.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Discrete AdaBoost.MH (Schapire & Singer 1999; Busa-Fekete & Kegl 2010, section 2): in each round the weak
// learner finds h = v phi with a large edge on the weights W of all pairs of example and class. The
// coefficient of h minimises the loss. Then W grows on the examples and classes that are still wrong.
class AdaBoostMh final : public WholeSideBooster {
 public:
  struct Options {
    RoundSettings rounds;
    ScanMode scan = ScanMode::kI16;
    const Loss* loss = &exponential_loss();
    InitialWeights init = InitialWeights::kUniform;
  };

  AdaBoostMh(const Options& options, SearchParts search)
      : WholeSideBooster(std::move(search)), options_(options) {}
  const Options& options() const { return options_; }

  std::optional<std::uint32_t> num_rounds(std::size_t) const override { return options_.rounds.num_rounds; }
  Status check(const WeakLearner&) const override { return Done{}; }
  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override;

 private:
  Options options_;
};

// Reads rounds, loss, init, scan and stop_on_perfect; the caller refuses the rest. losses: the known ones.
Result<std::unique_ptr<const Booster>> make_adaboost_mh(Settings& settings, SearchParts search,
                                                        std::span<const LossRow> losses);

}  // namespace mash
