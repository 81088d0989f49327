// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/random_spending.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "tests/budget/small_models.hpp"

namespace mash {
namespace {

using testing::binary_model;
using testing::make_costs;
using testing::one_family;

const std::vector<double> kAlphas{.5, .3, .2};

RandomSpending make(const StrongClassifier& model, const FeatureCosts& costs,
                    const RandomSpendingSettings& settings) {
  return *RandomSpending::make(model, costs, settings);
}

// How often each hypothesis is the first to be drawn, among as many examples.
std::vector<double> first_draws(const RandomSpending& spending, std::size_t num_hypotheses,
                                std::size_t num_examples) {
  std::vector<double> frequencies(num_hypotheses);
  for (std::size_t n = 0; n < num_examples; ++n) {
    bool is_first = true;
    spending.predict(n, [&](std::size_t t) {
      frequencies[t] += is_first / double(num_examples);
      is_first = false;
      return 1u;
    });
  }
  return frequencies;
}

TEST(RandomSpending, DrawsByCoefficient) {
  const FeatureCosts costs = one_family({1, 1, 1});
  const auto spending = make(binary_model(kAlphas), costs, {.budget = 1});
  const auto frequencies = first_draws(spending, 3, 20000);
  for (std::size_t t = 0; t < 3; ++t) EXPECT_NEAR(frequencies[t], kAlphas[t], .012) << t;
}

TEST(RandomSpending, CostAwareDrawsByCoefficientPerCost) {
  const FeatureCosts costs = one_family({4, 1, .5});
  const auto spending = make(binary_model(kAlphas), costs, {.budget = 4, .cost_aware = true});
  const auto frequencies = first_draws(spending, 3, 20000);
  const double sum = .5 / 4 + .3 + .2 / .5;
  EXPECT_NEAR(frequencies[0], .5 / 4 / sum, .012);
  EXPECT_NEAR(frequencies[1], .3 / sum, .012);
  EXPECT_NEAR(frequencies[2], .2 / .5 / sum, .012);
}

TEST(RandomSpending, NoCoefficientIsNeverDrawn) {
  const FeatureCosts costs = one_family({1, 1, 1, 1});
  const auto frequencies = first_draws(make(binary_model({0, .5, 0, 0}), costs, {.budget = 9}), 4, 100);
  EXPECT_THAT(frequencies, ::testing::ElementsAre(0, ::testing::DoubleNear(1, 1e-9), 0, 0));
}

// With one vote each, the mean vote is sum alpha h / sum alpha: here (.5 - .3 + .2) / 1.
TEST(RandomSpending, ExpectedVoteIsThatOfTheModel) {
  const FeatureCosts costs = one_family({1, 1, 1});
  const auto spending = make(binary_model(kAlphas), costs, {.budget = 1});
  double mean = 0;
  for (std::size_t n = 0; n < 20000; ++n) {
    const auto prediction = spending.predict(n, [](std::size_t t) { return t == 1 ? 0u : 1u; });
    EXPECT_EQ(prediction.num_evaluated, 1u);
    EXPECT_EQ(prediction.spent, 1);
    mean += (prediction.predicted_class == 0 ? 1 : -1) / 20000.0;
  }
  EXPECT_NEAR(mean, .4, .025);
}

// Seven hypotheses; all patterns of their votes for which the sum is not close to 0.
TEST(RandomSpending, WithoutALimitItDecidesAsTheModel) {
  const std::vector<double> alphas{.9, .7, .6, .5, .4, .3, .2};
  const StrongClassifier model = binary_model(alphas);
  const FeatureCosts costs = one_family({1, 2, 3, .5, 1, .1, 4});
  for (const bool cost_aware : {false, true}) {
    const auto spending =
        make(model, costs, {.budget = Purchases::kUnlimited, .cost_aware = cost_aware, .seed = 5});
    for (std::size_t pattern = 0; pattern < 128; ++pattern) {
      double sum = 0;
      for (std::size_t t = 0; t < 7; ++t) sum += pattern >> t & 1 ? alphas[t] : -alphas[t];
      if (std::abs(sum) < 1) continue;
      const auto prediction = spending.predict(pattern, [&](std::size_t t) { return pattern >> t & 1; });
      EXPECT_EQ(prediction.predicted_class, sum > 0 ? 0 : 1) << pattern;
      EXPECT_EQ(prediction.num_evaluated, 7u);
      EXPECT_NEAR(prediction.spent, 11.6, 1e-12);
    }
  }
}

TEST(RandomSpending, NegativeCoefficientsVoteTheOtherWayRound) {
  const FeatureCosts costs = one_family({1});
  const auto predicted = [&](double alpha, std::size_t cell) {
    return make(binary_model({alpha}), costs, {.budget = 1})
        .predict(0, [&](std::size_t) { return cell; })
        .predicted_class;
  };
  EXPECT_EQ(predicted(.5, 1), 0);
  EXPECT_EQ(predicted(.5, 0), 1);
  EXPECT_EQ(predicted(-.5, 1), 1);
  EXPECT_EQ(predicted(-.5, 0), 0);
}

TEST(RandomSpending, PriorClassWhereNothingIsBoughtAndWhereVotesAreEqual) {
  const FeatureCosts costs = one_family({1, 1});
  const CellOf none = [](std::size_t) -> std::size_t { throw std::runtime_error("evaluated"); };
  for (const std::uint16_t prior : std::vector<std::uint16_t>{0, 1}) {
    const auto poor = make(binary_model({1, 1}), costs, {.budget = .5, .prior_class = prior});
    EXPECT_EQ(poor.predict(0, none), (PaidPrediction{prior, 0, 0}));
    const auto empty =
        make(testing::model_on({{"f", {1, 1}}}, 2), costs, {.budget = 5, .prior_class = prior});
    EXPECT_EQ(empty.predict(0, none), (PaidPrediction{prior, 0, 0}));
    // Votes for both classes alike.
    StrongClassifier even = testing::model_on({{"f", {1, 1}}}, 2);
    even.hypotheses = {testing::stump(0, 0, 1, {1, 1})};
    const auto undecided = make(even, costs, {.budget = 5, .prior_class = prior});
    EXPECT_EQ(undecided.predict(0, [](std::size_t) { return 1u; }), (PaidPrediction{prior, 1, 1}));
  }
}

TEST(RandomSpending, ExamplesAndSeedsDrawForThemselves) {
  const StrongClassifier model = binary_model({1, 1, 1, 1, 1, 1, 1, 1});
  const FeatureCosts costs = make_costs({equal_costs("f", 8, 1)});
  const auto evaluated = [&](std::uint64_t seed, std::uint64_t example) {
    std::vector<std::size_t> order;
    make(model, costs, {.budget = 6, .seed = seed}).predict(example, [&](std::size_t t) {
      order.push_back(t);
      return 1u;
    });
    return order;
  };
  EXPECT_EQ(evaluated(1, 7), evaluated(1, 7));
  EXPECT_NE(evaluated(1, 7), evaluated(1, 8));
  EXPECT_NE(evaluated(1, 7), evaluated(2, 7));
}

TEST(RandomSpending, RefusesModelsThatItCannotSpendOn) {
  const FeatureCosts costs = one_family({1});
  for (const std::size_t num_classes : {1u, 3u}) {
    const auto refused = RandomSpending::make(testing::model_on({{"f", {1}}}, num_classes), costs, {});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().message,
              fmt::format("random spending: found a model of {} classes, expected two", num_classes));
  }
  EXPECT_FALSE(RandomSpending::make(binary_model({1, 1}), costs, {}).ok()) << "another number of features";
  EXPECT_THROW((void)RandomSpending::make(binary_model({1}), costs, {.budget = -1}), std::logic_error);
  EXPECT_THROW((void)RandomSpending::make(binary_model({1}), costs, {.prior_class = 2}), std::logic_error);
}

RC_GTEST_PROP(RandomSpending, KeepsToTheBudget, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.random-spending");
  const auto families = testing::random_families(stream);
  const FeatureCosts costs = make_costs(families);
  const StrongClassifier model = testing::random_model(families, 2, 1 + stream.below(10), stream);
  const RandomSpendingSettings settings{stream.uniform(0, 10), stream.below(2) == 0, stream.next_u64()};
  const RandomSpending spending = make(model, costs, settings);
  for (std::size_t n = 0; n < 10; ++n) {
    const auto cells = testing::random_cells(model, stream);
    std::set<std::size_t> evaluated;
    const auto prediction = spending.predict(n, [&](std::size_t t) {
      RC_ASSERT(evaluated.insert(t).second);
      return cells[t];
    });
    Purchases purchases(costs);
    for (const std::size_t t : evaluated) purchases.pay(costs.needs(model.hypotheses[t]));
    RC_ASSERT(prediction.num_evaluated == evaluated.size());
    RC_ASSERT(std::abs(prediction.spent - purchases.spent()) < 1e-12);
    RC_ASSERT(is_within(prediction.spent, settings.budget));
  }
}

}  // namespace
}  // namespace mash
