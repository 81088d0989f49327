// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/costs.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <set>

#include "tests/budget/small_models.hpp"

namespace mash {
namespace {

using testing::make_costs;
using testing::one_family;
using testing::stump;

constexpr float kAlways = -std::numeric_limits<float>::infinity();

std::string refusal(std::vector<FamilyCosts> families) {
  const auto costs = FeatureCosts::make(std::move(families));
  return costs.ok() ? "accepted" : costs.error().message;
}

TEST(FeatureCosts, FeaturesAreNumberedFamilyAfterFamily) {
  const FeatureCosts costs = make_costs({{"a", {1, 2}, 5}, {"empty", {}, 6}, {"b", {3}, 7}});
  EXPECT_EQ(costs.num_features(), 3u);
  EXPECT_EQ(costs.num_families(), 3u);
  EXPECT_EQ(costs.feature(2), 3);
  EXPECT_EQ(costs.setup(2), 7);
  EXPECT_EQ(costs.family_of(0), 0u);
  EXPECT_EQ(costs.family_of(1), 0u);
  EXPECT_EQ(costs.family_of(2), 2u);
  EXPECT_THROW(costs.family_of(3), std::logic_error);
}

TEST(FeatureCosts, RefusesWhatIsNoCost) {
  EXPECT_EQ(refusal({{"hog", {1, -0.5}}}),
            "costs of family hog: found -0.5 for feature 1, expected a finite number of at least 0");
  EXPECT_EQ(refusal({{"a", {1}}, {"b", {std::nan("")}}}),
            "costs of family b: found nan for feature 0, expected a finite number of at least 0");
  EXPECT_EQ(refusal({{"a", {std::numeric_limits<double>::infinity()}}}),
            "costs of family a: found inf for feature 0, expected a finite number of at least 0");
  EXPECT_EQ(refusal({{"a", {1}, -1}}),
            "costs of family a: found a set-up of -1, expected a finite number of at least 0");
  EXPECT_EQ(refusal({{"a", {1}, std::nan("")}}),
            "costs of family a: found a set-up of nan, expected a finite number of at least 0");
  EXPECT_EQ(refusal({{"a", {0}}}), "accepted");
  EXPECT_EQ(refusal({}), "accepted");
}

TEST(FeatureCosts, FreeFeaturesCountAsALittleOfTheMedian) {
  EXPECT_DOUBLE_EQ(one_family({0, 2, 4}).smallest(), 2e-9);
  EXPECT_DOUBLE_EQ(one_family({0, 2, 4}).evaluation(), 2e-3);
  EXPECT_DOUBLE_EQ(one_family({0, 0, 0, 5}).smallest(), 5e-9) << "the median of what is not free";
  EXPECT_DOUBLE_EQ(one_family({0, 0}).smallest(), 1e-9) << "all are free";
}

TEST(FeatureCosts, EqualCosts) {
  const FamilyCosts costs = equal_costs("f", 3, 0.5);
  EXPECT_EQ(costs.family, "f");
  EXPECT_THAT(costs.features, ::testing::ElementsAre(0.5, 0.5, 0.5));
  EXPECT_EQ(costs.setup, 0);
}

TEST(FeatureCosts, RandomCostsAreUniformUpToTwo) {
  const FamilyCosts costs = random_costs("f", 20000, 1);
  double sum = 0, squares = 0;
  for (const double cost : costs.features) {
    ASSERT_GE(cost, 0);
    ASSERT_LT(cost, 2);
    sum += cost / 20000;
    squares += cost * cost / 20000;
  }
  EXPECT_NEAR(sum, 1, 0.015);
  EXPECT_NEAR(squares, 4.0 / 3, 0.03);
}

TEST(FeatureCosts, RandomCostsAreThoseOfTheFamilyAlone) {
  const std::vector<double> costs = random_costs("f", 10, 3).features;
  EXPECT_NE(random_costs("g", 10, 3).features, costs);
  EXPECT_NE(random_costs("f", 10, 4).features, costs);
  const std::vector<double> more = random_costs("f", 12, 3).features;
  EXPECT_TRUE(std::equal(costs.begin(), costs.end(), more.begin())) << "more features change no cost";
}

TEST(Needs, EachFeatureAndEachFamilyOnce) {
  const FeatureCosts costs = make_costs({{"a", {1, 2}, 10}, {"b", {4, 8}, 20}});
  const Needs stump_needs = costs.needs(stump(1, 0));
  EXPECT_THAT(stump_needs.features, ::testing::ElementsAre(2));
  EXPECT_THAT(stump_needs.families, ::testing::ElementsAre(1));
  const Hypothesis product{1, {{1, 1, 0}, {0, 1, 0}, {1, 1, 3}, {1, 0, 0}}, {1, -1}, {}};
  const Needs needs = costs.needs(product);
  EXPECT_THAT(needs.features, ::testing::ElementsAre(1, 2, 3));
  EXPECT_THAT(needs.families, ::testing::ElementsAre(0, 1));
  EXPECT_EQ(costs.price(needs).total(), 2 + 4 + 8 + 10 + 20);
  const Hypothesis tree{1, {{0, 0, 0}, {0, 0, 1}}, {1, -1, 1, -1, 1, -1}, {{-1, 1}, {-2, -3}}};
  EXPECT_EQ(costs.price(costs.needs(tree)).total(), 11);
}

TEST(Needs, WhatAlwaysHoldsCostsNothing) {
  const FeatureCosts costs = make_costs({{"a", {1, 2}, 10}, {"b", {4}, 20}});
  EXPECT_EQ(costs.price(costs.needs(Hypothesis{1, {{1, 0, kAlways}}, {1, -1}, {}})).total(), 0);
  EXPECT_EQ(costs.price(costs.needs(Hypothesis{1, {{1, 0, kAlways}, {0, 1, 0}}, {1, -1}, {}})).total(), 12);
}

TEST(Needs, RefusesAModelOfOtherFamilies) {
  const FeatureCosts costs = one_family({1, 2});
  EXPECT_EQ(costs.needs(testing::model_on({{"f", {1, 2}}, {"g", {1}}}, 2)).error().message,
            "costs: found 1 families, the model was trained with 2");
  const auto other_dim = costs.needs(testing::model_on({{"f", {1, 2, 3}}}, 2));
  ASSERT_FALSE(other_dim.ok());
  EXPECT_THAT(other_dim.error().message, ::testing::HasSubstr("found 2 features"));
  EXPECT_THROW(costs.needs(stump(0, 2)), std::logic_error);
  EXPECT_THROW(costs.needs(stump(1, 0)), std::logic_error);
  StrongClassifier fitting = testing::binary_model({1, 1});
  EXPECT_EQ(costs.needs(fitting)->size(), 2u);
}

TEST(Budget, TenthsMakeAWhole) {
  EXPECT_TRUE(is_within(0.1 + 0.1 + 0.1, 0.3));
  EXPECT_FALSE(is_within(0.3000001, 0.3));
  EXPECT_TRUE(is_within(0, 0));
  EXPECT_FALSE(is_within(1e-300, 0));
  EXPECT_TRUE(is_within(1e300, Purchases::kUnlimited));
}

TEST(Purchases, PaysEachFeatureAndSetUpOnce) {
  const FeatureCosts costs = make_costs({{"a", {1, 2}, 10}, {"b", {4}, 20}});
  Purchases purchases(costs, 40);
  EXPECT_EQ(purchases.unpaid(1u).total(), 12);
  purchases.pay(costs.needs(stump(0, 0)));
  EXPECT_EQ(purchases.spent(), 11);
  EXPECT_TRUE(purchases.has_paid(0));
  EXPECT_FALSE(purchases.has_paid(1));
  EXPECT_EQ(purchases.unpaid(0u).total(), 0);
  EXPECT_EQ(purchases.unpaid(1u).total(), 2) << "the set-up is paid for";
  purchases.pay(costs.needs(stump(0, 0)));
  EXPECT_EQ(purchases.spent(), 11);
  purchases.pay(costs.needs(stump(1, 0)));
  EXPECT_EQ(purchases.spent(), 35);
  EXPECT_EQ(costs.price(1u).total(), 12) << "the original price stays";
}

TEST(Purchases, RefusesWhatItCannotAfford) {
  const FeatureCosts costs = one_family({3});
  Purchases purchases(costs, 2);
  EXPECT_FALSE(purchases.can_afford(purchases.unpaid(0u)));
  EXPECT_THROW(purchases.pay(costs.needs(stump(0, 0))), std::logic_error);
  EXPECT_EQ(purchases.spent(), 0);
  EXPECT_THROW(Purchases(costs, -1), std::logic_error);
  EXPECT_THROW(Purchases(costs, std::nan("")), std::logic_error);
}

// The sums over sets, said in the plainest way.
RC_GTEST_PROP(Purchases, AreTheSumsOverWhatWasPaid, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.purchases");
  const auto families = testing::random_families(stream);
  const FeatureCosts costs = make_costs(families);
  const StrongClassifier model = testing::model_on(families, 2);
  Purchases purchases(costs, stream.uniform(0, 12));
  std::set<std::pair<std::uint32_t, std::uint32_t>> paid;
  std::set<std::uint32_t> paid_families;
  double spent = 0;
  for (int round = 0; round < 30; ++round) {
    const Hypothesis hypothesis = testing::random_hypothesis(model, stream);
    auto features = paid;
    auto setups = paid_families;
    for (const Cut& cut : hypothesis.cuts) {
      if (cut.always_holds()) continue;
      features.insert({cut.family_idx, cut.feature_idx});
      setups.insert(cut.family_idx);
    }
    double sum = 0;
    for (const auto& [family, feature] : features) sum += families[family].features[feature];
    for (const std::uint32_t family : setups) sum += families[family].setup;
    const Needs needs = costs.needs(hypothesis);
    RC_ASSERT(std::abs(purchases.unpaid(needs).total() - (sum - spent)) < 1e-12);
    if (!purchases.can_afford(purchases.unpaid(needs))) {
      RC_ASSERT(sum > purchases.budget());
      continue;
    }
    purchases.pay(needs);
    RC_ASSERT(purchases.unpaid(needs).total() == 0);
    paid = features;
    paid_families = setups;
    spent = sum;
    RC_ASSERT(std::abs(purchases.spent() - spent) < 1e-12);
    RC_ASSERT(purchases.spent() <= purchases.budget() * (1 + 1e-12));
  }
}

}  // namespace
}  // namespace mash
