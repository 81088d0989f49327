// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "classifiers/samplers/arm_policy.hpp"
#include "classifiers/samplers/feature_draw.hpp"
#include "classifiers/samplers/sampler.hpp"

namespace mash {

// Reward of a bandit for a hypothesis with this edge: min(1, scale * -ln sqrt(1 - edge^2)), for the
// exponential loss of AdaBoost.MH the logarithm by which it lowers the loss (Busa-Fekete & Kegl 2010, eq.
// 11).
double bandit_reward(double edge, double scale);

// Bandits (Busa-Fekete & Kegl 2010; families as arms: Dubout & Fleuret 2014, section 6.4): each round a
// policy chooses arms by what they gave before. An arm is a family, of which Q features are drawn, or a
// feature.
class BanditSampler final : public Sampler {
 public:
  enum class Arms { kFamilies, kFeatures };
  struct Options {
    Arms arms = Arms::kFamilies;
    std::uint32_t num_features = 10;  // Q, of a family that is pulled
    std::uint32_t num_pulls = 1;      // arms a round
    double reward_scale = 1;
    bool pull_all_first = false;  // one reward of every arm, with the initial weights, in the meter `once`
  };
  using MakePolicy = std::function<std::unique_ptr<ArmPolicy>(std::size_t num_arms, double num_rounds)>;

  BanditSampler(const Options& options, MakePolicy make_policy)
      : options_(options), make_policy_(std::move(make_policy)) {}

  Status start(StumpScan& scan, const TrainingPlan& plan) override;
  std::uint32_t propose(StumpScan& scan, const Round& round) override;
  std::vector<double> state() const override { return policy_->state(); }
  void restore(std::span<const double> state) override { policy_->restore(state); }

 private:
  // The features of an arm that a pull looks at, increasing.
  std::vector<std::uint32_t> features_of(std::uint32_t arm, const FeatureDraw& chosen) const;
  // Evaluates the arms' features and rewards each arm with its best edge; the best of all.
  Candidate pull(std::span<const std::uint32_t> arms, StumpScan& scan, const FeatureDraw& chosen,
                 Charge charge);

  Options options_;
  MakePolicy make_policy_;
  std::unique_ptr<ArmPolicy> policy_;
};

Result<SamplerFactory> make_ucb(Settings& settings);
Result<SamplerFactory> make_ucbv(Settings& settings);
Result<SamplerFactory> make_exp3p(Settings& settings);
Result<SamplerFactory> make_epsilon_greedy(Settings& settings);

}  // namespace mash
