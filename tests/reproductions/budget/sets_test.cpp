// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/budget/sets.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "tests/support/quiet_work.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

const float kMissing = std::nanf("");

BudgetSet set_of(std::string_view negative, std::string_view positive, std::string_view nominal,
                 std::size_t max_cuts, double least_share) {
  return {"small", "small", "", 0, "csv", "", negative, positive, nominal, max_cuts, least_share, 1, 1, 1};
}

std::vector<int> feature(const BinaryPool& pool, std::size_t j) {
  const auto bits = pool.feature(j);
  return {bits.begin(), bits.end()};
}

// Column 0 is of numbers, column 1 of three names; the last example is on the test side.
Dataset small() { return testing::table({1, 0, 3, 1, kMissing, 2, 2, 1}, {0, 1, 2, 1}, 3, {3, 0}, {1}); }

TEST(MakeBinary, AsksForEachValueAndEachName) {
  const auto pool = make_binary(small(), set_of("", "1", "c1", 0, 0));
  ASSERT_TRUE(pool.ok()) << pool.error().message;
  // Class 1 has three of five examples: it is 0.
  EXPECT_THAT(pool->labels, ElementsAre(1, 0, 1, 0, 0));
  ASSERT_EQ(pool->num_features, 5u);
  EXPECT_THAT(feature(*pool, 0), ElementsAre(0, 1, 0, 1, 1));  // x >= 2; what is missing answers no
  EXPECT_THAT(feature(*pool, 1), ElementsAre(0, 1, 0, 0, 1));  // x >= 3
  EXPECT_THAT(feature(*pool, 2), ElementsAre(1, 0, 0, 0, 1));  // the first name
  EXPECT_THAT(feature(*pool, 3), ElementsAre(0, 1, 0, 1, 0));
  EXPECT_THAT(feature(*pool, 4), ElementsAre(0, 0, 1, 0, 0));
}

TEST(MakeBinary, LeavesOutClassesAndRareAnswers) {
  const auto pool = make_binary(small(), set_of("0", "1", "c1", 0, .5));
  ASSERT_TRUE(pool.ok());
  EXPECT_THAT(pool->labels, ElementsAre(1, 0, 0, 0));
  ASSERT_EQ(pool->num_features, 3u);  // x >= 3 and the two names that are left; x >= 2 has one no of four
  EXPECT_THAT(feature(*pool, 0), ElementsAre(0, 1, 0, 1));
}

TEST(MakeBinary, CutsAtEvenShares) {
  std::vector<float> values;
  for (int n = 0; n < 12; ++n) values.push_back(float(n));
  const Dataset dataset =
      testing::table(values, std::vector<std::uint16_t>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}, 2);
  const auto pool = make_binary(dataset, set_of("", "1", "", 2, 0));
  ASSERT_EQ(pool->num_features, 2u);
  EXPECT_THAT(feature(*pool, 0), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(feature(*pool, 1), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1));
}

TEST(MakeBinary, RefusesDataWithoutAClass) {
  const auto pool = make_binary(small(), set_of("", "7", "", 0, 0));
  ASSERT_FALSE(pool.ok());
  EXPECT_EQ(pool.error().message, "data set small: found no class of those expected: 7");
}

const BudgetSet& constructed() { return budget_sets().back(); }

// Needs of the claim on Webscope: the expensive feature tells most by far, and prices are those of the paper.
TEST(BudgetSets, TheConstructedSetHasOneExpensiveFeatureThatTellsMost) {
  const auto pool = load_budget_set(constructed(), testing::quiet_work());
  ASSERT_TRUE(pool.ok());
  ASSERT_EQ(pool->num_features, 519u);
  const auto edge = [&](std::size_t j) {
    double sum = 0;
    for (std::size_t n = 0; n < pool->num_examples(); ++n)
      sum += pool->feature(j)[n] == pool->labels[n] ? 1 : -1;
    return std::abs(sum) / double(pool->num_examples());
  };
  EXPECT_GT(edge(0), .57);
  for (std::size_t j = 1; j < 519; ++j) EXPECT_LT(edge(j), .3) << j;
  const FeatureCosts costs = budget_costs(constructed(), 519, 3);
  std::set<double> prices;
  for (std::uint32_t j = 0; j < 519; ++j) prices.insert(costs.feature(j));
  EXPECT_THAT(prices, ElementsAre(.1, .5, 1, 2, 5, 10, 15, 20));
  EXPECT_EQ(costs.feature(0), 20);
}

TEST(BudgetSets, CostsAreRandomElsewhere) {
  const FeatureCosts costs = budget_costs(budget_sets()[0], 400, 3),
                     others = budget_costs(budget_sets()[0], 400, 4);
  double sum = 0;
  for (std::uint32_t j = 0; j < 400; ++j) {
    EXPECT_GE(costs.feature(j), 0);
    EXPECT_LT(costs.feature(j), 2);
    sum += costs.feature(j);
  }
  EXPECT_NEAR(sum / 400, 1, .1);
  EXPECT_NE(costs.feature(0), others.feature(0));
}

}  // namespace
}  // namespace mash
