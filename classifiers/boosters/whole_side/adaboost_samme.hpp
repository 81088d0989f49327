// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/boosters/loop/booster.hpp"
#include "classifiers/boosters/whole_side/round.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// The coefficient of a SAMME round (Zhu, Zou, Rosset & Hastie 2009, Algorithm 2), and the change of the
// multi-class exponential loss: sum over n of w1_n exp(-(f_y(x_n) - the mean of all f_l(x_n))).
struct SammeStep {
  double alpha = 0;             // ln((1 - err) / err) + ln(K - 1)
  double right = 1, wrong = 1;  // factors of the weights, which then add up to 1 again
  double loss_factor = 1;
};
// error: the weighted error of the hypothesis; below 0.01/N it is taken as 0.01/N. A hypothesis that is no
// better than chance (error >= 1 - 1/K) gets alpha = 0. REQUIRES: num_classes >= 2, num_examples > 0, error
// in [0, 1].
SammeStep samme_step(double error, std::size_t num_classes, std::size_t num_examples);

// SAMME, "Stagewise Additive Modeling using a Multi-class Exponential loss" (Zhu et al. 2009): each example
// has one weight. Each hypothesis gives every example one class, and the examples that it gets wrong weigh
// more in the next round. The edge of a hypothesis is 1 - err K / (K - 1): 0 at chance, 1 without a mistake.
// The search uses weights in doubles.
class AdaBoostSamme final : public WholeSideBooster {
 public:
  AdaBoostSamme(const RoundSettings& rounds, SearchParts search)
      : WholeSideBooster(std::move(search)), rounds_(rounds) {}

  std::optional<std::uint32_t> num_rounds(std::size_t) const override { return rounds_.num_rounds; }
  Status check(const WeakLearner& weak) const override;
  Result<TrainingResult> train(std::uint64_t seed, const TrainingContext& context) const override;

 private:
  RoundSettings rounds_;
};

// Reads rounds and stop_on_perfect; the caller refuses the rest.
Result<std::unique_ptr<const Booster>> make_adaboost_samme(Settings& settings, SearchParts search);

}  // namespace mash
