// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "classifiers/samplers/sampler.hpp"

namespace mash {

// Rewards of the pulls of an arm.
struct ArmHistory {
  double num_pulls = 0;
  double mean = 0;
  double squares = 0;  // sum of squared deviations from the mean

  void add(double reward);
  double variance() const { return num_pulls > 0 ? squares / num_pulls : 0; }  // of the population
};

// The indices of UCB1 (Auer et al. 2002) and UCB-V (Audibert et al. 2009, with b = zeta = 1, c = 1/3).
// num_pulls: of all arms together. Infinite for an arm that was never pulled.
double ucb_index(const ArmHistory& arm, double num_pulls);
double ucbv_index(const ArmHistory& arm, double num_pulls);
// The probability of a uniform arm in round n: min(1, ratio M / n); ratio is c / d^2 of Auer et al. 2002.
double exploration_rate(double ratio, std::size_t num_arms, double round);

// The random numbers of one choice.
struct ArmChance {
  double exploration = 0;  // in [0, 1)
  Priority ties;           // of an arm
};

// Chooses arms by the rewards in [0, 1] that earlier pulls gave.
class ArmPolicy {
 public:
  virtual ~ArmPolicy() = default;
  // The arms to pull next, `count` distinct ones (all, where there are fewer).
  virtual std::vector<std::uint32_t> choose(std::size_t count, const ArmChance& chance) const = 0;
  virtual void reward(std::uint32_t arm, double reward) = 0;
  // The state after earlier rewards, as numbers that `restore` takes.
  virtual std::vector<double> state() const = 0;
  virtual void restore(std::span<const double> state) = 0;
};

std::unique_ptr<ArmPolicy> make_ucb_policy(std::size_t num_arms);
std::unique_ptr<ArmPolicy> make_ucbv_policy(std::size_t num_arms);
std::unique_ptr<ArmPolicy> make_epsilon_greedy_policy(std::size_t num_arms, double ratio);

// Exp3.P (Auer et al. 2002, section 6, there gamma = lambda and alpha = eta; Busa-Fekete & Kegl 2010).
class Exp3P final : public ArmPolicy {
 public:
  struct Parameters {
    double eta = 0.3;      // width of the confidence term
    double lambda = 0.15;  // share of uniform arms, and learning rate
  };
  // The values of theory for a failure probability delta (Busa-Fekete & Kegl 2010, eq. 13).
  static Parameters theory(std::size_t num_arms, double num_rounds, double delta);

  Exp3P(std::size_t num_arms, double num_rounds, Parameters parameters);

  std::vector<std::uint32_t> choose(std::size_t count, const ArmChance& chance) const override;
  void reward(std::uint32_t arm, double reward) override;
  std::vector<double> state() const override { return log_weights_; }
  void restore(std::span<const double> state) override;

  std::vector<double> probabilities() const;

 private:
  double num_rounds_;
  Parameters parameters_;
  std::vector<double> log_weights_;
};

}  // namespace mash
