// SPDX-License-Identifier: Apache-2.0
#include "classifiers/samplers/arm_policy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/base/elementary.hpp"
#include "framework/base/state_numbers.hpp"

namespace mash {
namespace {

// Policies that keep the history of every arm.
class HistoryPolicy : public ArmPolicy {
 public:
  explicit HistoryPolicy(std::size_t num_arms) : arms_(num_arms) {}

  void reward(std::uint32_t arm, double reward) override {
    arms_[arm].add(reward);
    ++num_pulls_;
  }
  std::vector<double> state() const override {
    StateWriter writer;
    writer.add(num_pulls_);
    for (const ArmHistory& arm : arms_) writer.add(arm.num_pulls, arm.mean, arm.squares);
    return writer.take();
  }
  void restore(std::span<const double> state) override {
    StateReader reader(state);
    num_pulls_ = reader.next();
    for (ArmHistory& arm : arms_)
      for (double* number : {&arm.num_pulls, &arm.mean, &arm.squares}) *number = reader.next();
    reader.finish();
  }

 protected:
  std::vector<ArmHistory> arms_;
  double num_pulls_ = 0;
};

class IndexPolicy final : public HistoryPolicy {
 public:
  using Index = double (*)(const ArmHistory&, double num_pulls);
  IndexPolicy(std::size_t num_arms, Index index) : HistoryPolicy(num_arms), index_(index) {}

  std::vector<std::uint32_t> choose(std::size_t count, const ArmChance& chance) const override {
    std::vector<double> scores;
    scores.reserve(arms_.size());
    for (const ArmHistory& arm : arms_) scores.push_back(index_(arm, num_pulls_));
    return largest(scores, count, chance.ties);
  }

 private:
  Index index_;
};

class EpsilonGreedy final : public HistoryPolicy {
 public:
  EpsilonGreedy(std::size_t num_arms, double ratio) : HistoryPolicy(num_arms), ratio_(ratio) {}

  std::vector<std::uint32_t> choose(std::size_t count, const ArmChance& chance) const override {
    const bool explores = chance.exploration < exploration_rate(ratio_, arms_.size(), num_pulls_ + 1);
    std::vector<double> scores;
    scores.reserve(arms_.size());
    for (const ArmHistory& arm : arms_) {
      const bool is_new = arm.num_pulls == 0;
      scores.push_back(explores ? 0 : is_new ? std::numeric_limits<double>::infinity() : arm.mean);
    }
    return largest(scores, count, chance.ties);
  }

 private:
  double ratio_;
};

}  // namespace

void ArmHistory::add(double reward) {
  ++num_pulls;
  const double deviation = reward - mean;
  mean += deviation / num_pulls;
  squares += deviation * (reward - mean);
}

double ucb_index(const ArmHistory& arm, double num_pulls) {
  if (arm.num_pulls == 0) return std::numeric_limits<double>::infinity();
  return arm.mean + std::sqrt(2 * stable_log(num_pulls) / arm.num_pulls);
}

double ucbv_index(const ArmHistory& arm, double num_pulls) {
  if (arm.num_pulls == 0) return std::numeric_limits<double>::infinity();
  const double share = stable_log(num_pulls) / arm.num_pulls;
  return arm.mean + std::sqrt(2 * arm.variance() * share) + share;
}

double exploration_rate(double ratio, std::size_t num_arms, double round) {
  return std::min(1.0, ratio * double(num_arms) / round);
}

std::unique_ptr<ArmPolicy> make_ucb_policy(std::size_t num_arms) {
  return std::make_unique<IndexPolicy>(num_arms, ucb_index);
}
std::unique_ptr<ArmPolicy> make_ucbv_policy(std::size_t num_arms) {
  return std::make_unique<IndexPolicy>(num_arms, ucbv_index);
}
std::unique_ptr<ArmPolicy> make_epsilon_greedy_policy(std::size_t num_arms, double ratio) {
  return std::make_unique<EpsilonGreedy>(num_arms, ratio);
}

Exp3P::Parameters Exp3P::theory(std::size_t num_arms, double num_rounds, double delta) {
  const auto m = double(num_arms);
  const double lambda = std::min(0.6, 2 * std::sqrt(0.6 * m * stable_log(m) / num_rounds));
  // One arm has nothing to learn, but the rate stays a rate.
  return {2 * std::sqrt(stable_log(m * num_rounds / delta)), num_arms == 1 ? 0.6 : lambda};
}

Exp3P::Exp3P(std::size_t num_arms, double num_rounds, Parameters parameters)
    : num_rounds_(num_rounds),
      parameters_(parameters),
      log_weights_(num_arms,
                   parameters.eta * parameters.lambda / 3 * std::sqrt(num_rounds / double(num_arms))) {}

std::vector<double> Exp3P::probabilities() const {
  const double largest_log = *std::max_element(log_weights_.begin(), log_weights_.end());
  std::vector<double> p;
  double sum = 0;
  for (const double log_weight : log_weights_) {
    p.push_back(stable_exp(log_weight - largest_log));
    sum += p.back();
  }
  for (double& q : p)
    q = (1 - parameters_.lambda) * q / sum + parameters_.lambda / double(log_weights_.size());
  return p;
}

std::vector<std::uint32_t> Exp3P::choose(std::size_t count, const ArmChance& chance) const {
  // The first of exponential clocks of rates p rings with probability p, the next with what it has of the
  // rest.
  std::vector<double> scores = probabilities();
  for (std::uint32_t j = 0; j < scores.size(); ++j)
    scores[j] /= -stable_log(1 - double(chance.ties(j) >> 11) * 0x1.0p-53);
  return largest(scores, count, chance.ties);
}

void Exp3P::reward(std::uint32_t arm, double reward) {
  const std::vector<double> p = probabilities();
  const auto m = double(p.size());
  for (std::size_t j = 0; j < p.size(); ++j) {
    const double estimate = j == arm ? reward / p[j] : 0;
    log_weights_[j] +=
        parameters_.lambda / (3 * m) * (estimate + parameters_.eta / (p[j] * std::sqrt(m * num_rounds_)));
  }
}

void Exp3P::restore(std::span<const double> state) { log_weights_.assign(state.begin(), state.end()); }

}  // namespace mash
