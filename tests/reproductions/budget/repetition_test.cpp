// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/budget/repetition.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "framework/base/hash.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

using ::testing::Each;

TEST(ErrorsWithin, OfTheRoundsThatTheBudgetPaysFor) {
  const FeatureCosts costs = *FeatureCosts::make({{"binary", {1.5, 2, .5, 10}, 0}});
  const auto of = [](std::uint32_t feature) { return Needs{{feature}, {}}; };
  const auto errors = errors_within({of(0), of(1), of(0), of(2), of(3)}, costs, {.5, .4, .3, .2, .1, .05});
  EXPECT_EQ(errors[0], .4);  // 2 pays for the first round; with the second, 3.5 is spent
  EXPECT_EQ(errors[1], .1);  // 4 for four rounds, of which the third costs nothing
  EXPECT_EQ(errors[5], .1);
  EXPECT_EQ(errors[6], .05);  // 14
  EXPECT_EQ(errors[19], .05);
  EXPECT_THAT(errors_within({}, costs, {.5}), Each(.5));
}

TEST(BudgetRepetitionFile, IsReadAsItWasWrittenOrNotAtAll) {
  BudgetRepetition repetition;
  double number = 1;
  for (auto& errors : repetition.errors)
    for (double& error : errors) error = 1 / (number += 1);
  repetition.tree_errors.fill(1. / 3);
  repetition.greedy_spent = 1e-7;
  const std::string text = serialise(repetition);
  ASSERT_TRUE(parse_budget_repetition(text));
  EXPECT_EQ(*parse_budget_repetition(text), repetition);
  EXPECT_FALSE(parse_budget_repetition(""));
  EXPECT_FALSE(parse_budget_repetition(text.substr(0, text.size() / 2)));
  std::string damaged = text;
  damaged[text.size() - 3] ^= 1;
  EXPECT_FALSE(parse_budget_repetition(damaged));
  const std::string body = "0.5\n";
  EXPECT_FALSE(parse_budget_repetition(sha256(body) + "\n" + body));
}

constexpr std::size_t kFeatures = 30, kExamples = 160, kTrain = 100;
const BudgetSet kSet{"small", "small", "", 0, "csv", "", "", "1", "", 0, 0, kTrain, 40, 12};

BinaryPool small_pool() {
  BinaryPool pool;
  pool.num_features = kFeatures;
  RandomStream random(5, "test.pool");
  for (std::size_t n = 0; n < kExamples; ++n) pool.labels.push_back(std::uint16_t(random.below(2)));
  for (std::size_t j = 0; j < kFeatures; ++j)
    for (const std::uint16_t label : pool.labels)
      pool.bits.push_back(std::uint8_t(random.uniform() < .5 + .01 * double(j) ? label : 1 - label));
  return pool;
}

BudgetRepetition run(std::uint64_t seed, std::uint32_t num_rounds = 25) {
  const StopFlag stop;
  const auto repetition = run_budget_repetition(kSet, small_pool(), {num_rounds, seed}, stop);
  if (!repetition.ok()) throw std::runtime_error(repetition.error().message);
  return *repetition;
}

// Algorithm 1 as it is printed (with the sign of its line 9 mended), without any of the framework's parts. A
// stump on a feature may be constant, which asks for nothing. The cheapest of equals.
class PlainAdaBoostBT {
 public:
  using Merit = std::function<double(double edge, double cost, double spent)>;

  PlainAdaBoostBT(const BinaryPool& pool, std::uint64_t seed, Merit merit)
      : pool_(pool),
        costs_(budget_costs(kSet, kFeatures, seed)),
        merit_(std::move(merit)),
        order_(kExamples) {
    std::iota(order_.begin(), order_.end(), 0u);
    RandomStream(seed, "reproduce.budget.split", keyed_hash(0, kSet.name)).shuffle(std::span(order_));
  }

  double test_error(double budget, std::size_t num_rounds) const {
    std::vector<double> weights(kTrain, 1. / kTrain), scores(40, 0.);
    std::vector<bool> is_paid(kFeatures + 1);
    double spent = 0;
    for (std::size_t t = 0; t < num_rounds; ++t) {
      const double constant = edge(kConstant, weights);
      std::size_t best = best_feature(weights, constant, spent);
      if (std::abs(edge(best, weights)) < std::abs(constant)) best = kConstant;
      const double price = is_paid[best] ? 0 : cost(best);
      if (spent + price > budget) break;
      spent += price;
      is_paid[best] = true;
      const double gamma = edge(best, weights), alpha = .5 * std::log((1 + gamma) / (1 - gamma));
      double total = 0;
      for (std::size_t i = 0; i < kTrain; ++i) total += weights[i] *= std::exp(-alpha * agreement(best, i));
      for (double& weight : weights) weight /= total;
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += alpha * vote(best, kTrain + i);
    }
    double num_wrong = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
      num_wrong += (scores[i] > 0) != (pool_.labels[order_[kTrain + i]] == 1);
    return num_wrong / double(scores.size());
  }

 private:
  static constexpr std::size_t kConstant = kFeatures;

  std::size_t best_feature(const std::vector<double>& weights, double constant, double spent) const {
    std::size_t best = 0;
    double best_merit = -1;
    for (std::size_t j = 0; j < kFeatures; ++j) {
      const double merit = merit_(std::max(std::abs(edge(j, weights)), std::abs(constant)), cost(j), spent);
      const bool is_equal = std::abs(merit - best_merit) < 1e-10 * merit;
      if (is_equal ? cost(j) < cost(best) : merit > best_merit) best_merit = merit, best = j;
    }
    return best;
  }
  double cost(std::size_t j) const { return j == kConstant ? 0 : costs_.feature(std::uint32_t(j)); }
  double vote(std::size_t j, std::size_t i) const {
    return j == kConstant || pool_.feature(j)[order_[i]] ? 1 : -1;
  }
  double agreement(std::size_t j, std::size_t i) const {
    return vote(j, i) * (pool_.labels[order_[i]] == 1 ? 1 : -1);
  }
  double edge(std::size_t j, const std::vector<double>& weights) const {
    double sum = 0;
    for (std::size_t i = 0; i < kTrain; ++i) sum += weights[i] * agreement(j, i);
    return sum;
  }

  const BinaryPool& pool_;
  FeatureCosts costs_;
  Merit merit_;
  std::vector<std::uint32_t> order_;
};

TEST(BudgetRepetition, IsAlgorithm1WithinEachBudget) {
  const BinaryPool pool = small_pool();
  const std::array<std::pair<BudgetMethod, PlainAdaBoostBT::Merit>, 4> methods{
      {{BudgetMethod::kBasic, [](double edge, double, double) { return edge; }},
       {BudgetMethod::kGreedy,
        [](double edge, double cost, double) { return -std::log(1 - edge * edge) / cost; }},
       {BudgetMethod::kSmoothed,
        [](double edge, double cost, double spent) { return -std::log(1 - edge * edge) / (spent + cost); }},
       {BudgetMethod::kSpeedBoost,
        [](double edge, double cost, double) { return (1 - std::sqrt(1 - edge * edge)) / cost; }}}};
  for (const std::uint64_t seed : {2u, 3u}) {
    const BudgetRepetition repetition = run(seed);
    for (const auto& [method, merit] : methods) {
      const PlainAdaBoostBT plain(pool, seed, merit);
      for (std::size_t i = 0; i < kNumBudgets; ++i)
        EXPECT_NEAR(repetition.errors[std::size_t(method)][i], plain.test_error(budget_at(i), 25), 1e-12)
            << kBudgetMethodTitles[std::size_t(method)] << ", budget " << budget_at(i);
    }
    EXPECT_NEAR(repetition.adaboost_error, PlainAdaBoostBT(pool, seed, methods[0].second).test_error(1e9, 12),
                1e-12);
  }
}

TEST(BudgetRepetition, DependsOnItsSeed) {
  EXPECT_EQ(run(2), run(2));
  EXPECT_NE(run(2), run(3));
}

TEST(BudgetRepetition, TreesOfOneLeafGiveTheMoreFrequentClass) {
  const BudgetRepetition repetition = run(2);
  EXPECT_GT(repetition.tree_errors[0], .3);
  EXPECT_LT(repetition.tree_errors[2], repetition.tree_errors[0]);
  // All of 100 examples: the largest size is the whole tree, as are those above its number of leaves.
  EXPECT_EQ(repetition.tree_errors[kNumTreeSizes - 1], repetition.tree_errors[kNumTreeSizes - 2]);
}

TEST(BudgetRepetition, ThatIsStoppedIsNone) {
  StopFlag stop;
  stop.raise();
  const auto repetition = run_budget_repetition(kSet, small_pool(), {25, 1}, stop);
  ASSERT_FALSE(repetition.ok());
  EXPECT_EQ(repetition.error().kind, ErrorKind::kStopped);
}

}  // namespace
}  // namespace mash
