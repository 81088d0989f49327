// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/shapley.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "framework/base/random.hpp"

namespace mash {
namespace {

// The values of sets of the families A, B, C: A .5, B .4, C 0, AB .5, AC .7, BC .6, ABC .75.
double worked_example(const FamilySubset& subset) {
  static const std::map<FamilySubset, double> values{
      {{}, 0}, {{0}, .5}, {{1}, .4}, {{2}, 0}, {{0, 1}, .5}, {{0, 2}, .7}, {{1, 2}, .6}, {{0, 1, 2}, .75}};
  return values.at(subset);
}

SubsetValues counted(std::size_t& num_asked) {
  return [&num_asked](std::span<const FamilySubset> subsets) -> Result<std::vector<double>> {
    std::vector<double> values;
    for (const FamilySubset& subset : subsets) values.push_back(worked_example(subset));
    num_asked += subsets.size();
    return values;
  };
}

double sum(const ShapleyCredit& credit) {
  double sum = 0;
  for (const ShapleyValue& value : credit.families) sum += value.mean;
  return sum;
}

TEST(Shapley, WorkedExample) {
  std::size_t num_asked = 0;
  const auto credit = shapley_values(3, 0, counted(num_asked), {.num_permutations = 6000, .tolerance = -1});
  ASSERT_TRUE(credit.ok());
  const double expected[] = {.35, .25, .15};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(credit->families[k].mean, expected[k], 4 * credit->families[k].standard_error) << k;
    EXPECT_LT(credit->families[k].standard_error, .005);
  }
  EXPECT_NEAR(credit->total, .75, 1e-12);
  EXPECT_NEAR(sum(*credit), .75, 1e-9);
  EXPECT_EQ(num_asked, 7u);  // of each subset once
  EXPECT_EQ(credit->num_subsets, 7u);
  EXPECT_EQ(credit->num_truncated, 0u);
}

TEST(Shapley, EveryPermutationAddsUp) {
  for (const std::size_t num_permutations : {1u, 2u, 5u})
    for (const double tolerance : {-1.0, 0.06, 0.3}) {
      std::size_t num_asked = 0;
      const auto credit = shapley_values(3, -0.1, counted(num_asked),
                                         {.num_permutations = num_permutations, .tolerance = tolerance});
      ASSERT_TRUE(credit.ok());
      EXPECT_NEAR(sum(*credit), .85, 1e-12) << num_permutations << " " << tolerance;
      EXPECT_EQ(credit->num_permutations, num_permutations);
    }
}

TEST(Shapley, WhatIsLeftIsSharedEqually) {
  // Any first family reaches v(all) - 1: all the rest is below the tolerance.
  const SubsetValues values = [](std::span<const FamilySubset> subsets) -> Result<std::vector<double>> {
    std::vector<double> values;
    for (const FamilySubset& subset : subsets) values.push_back(9 + double(subset.size() == 3));
    return values;
  };
  const auto credit = shapley_values(3, 0, values, {.num_permutations = 1, .tolerance = 2});
  ASSERT_TRUE(credit.ok());
  std::vector<double> gains;
  for (const ShapleyValue& value : credit->families) gains.push_back(value.mean);
  std::sort(gains.begin(), gains.end());
  EXPECT_THAT(gains, ::testing::ElementsAre(.5, .5, 9));
  EXPECT_EQ(credit->num_truncated, 1u);
}

TEST(Shapley, SameSeedSameCredit) {
  std::size_t num_asked = 0;
  const ShapleySettings one{.num_permutations = 5, .batch = 1, .seed = 7},
      together{.num_permutations = 5, .batch = 5, .seed = 7};
  const auto a = shapley_values(3, 0, counted(num_asked), one),
             b = shapley_values(3, 0, counted(num_asked), together);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(a->families[k].mean, b->families[k].mean);
}

TEST(Shapley, ErrorsOfValuesAreItsOwn) {
  const auto credit =
      shapley_values(2, 0, [](auto) -> Result<std::vector<double>> { return failure("disk full"); }, {});
  ASSERT_FALSE(credit.ok());
  EXPECT_EQ(credit.error().message, "disk full");
}

// A game whose values are random: nothing in it is symmetric.
double random_game(const FamilySubset& subset) {
  std::uint64_t number = 0;
  for (const std::size_t k : subset) number |= std::uint64_t(1) << k;
  return RandomStream(5, "test.shapley", number).uniform();
}

using Game = std::function<double(const FamilySubset&)>;

SubsetValues values_of(Game game) {
  return [game = std::move(game)](std::span<const FamilySubset> subsets) -> Result<std::vector<double>> {
    std::vector<double> values;
    for (const FamilySubset& subset : subsets) values.push_back(game(subset));
    return values;
  };
}

// The mean over all orders of the players, of which one is `player` and the others are single families.
double by_brute_force(const FamilySubset& player, std::size_t num_families, double empty_value,
                      const Game& game) {
  std::vector<FamilySubset> players{player};
  for (std::size_t k = 0; k < num_families; ++k)
    if (std::find(player.begin(), player.end(), k) == player.end()) players.push_back({k});
  std::vector<std::size_t> order(players.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  double sum = 0;
  std::size_t num_orders = 0;
  do {
    FamilySubset before;
    for (const std::size_t i : order) {
      if (i == 0) break;
      before.push_back(players[i][0]);
    }
    FamilySubset after = before;
    after.insert(after.end(), player.begin(), player.end());
    for (FamilySubset* subset : {&before, &after}) std::sort(subset->begin(), subset->end());
    sum += game(after) - (before.empty() ? empty_value : game(before));
    ++num_orders;
  } while (std::next_permutation(order.begin(), order.end()));
  return sum / double(num_orders);
}

TEST(ShapleyOfOnePlayer, WorkedExample) {
  const double expected[] = {.35, .25, .15};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto value = shapley_value_of({k}, 3, 0, values_of(worked_example), {.num_permutations = 6000});
    ASSERT_TRUE(value.ok());
    EXPECT_NEAR(value->mean, expected[k], 4 * value->standard_error) << k;
    EXPECT_LT(value->standard_error, .005);
    EXPECT_NEAR(by_brute_force({k}, 3, 0, worked_example), expected[k], 1e-12) << "the test itself";
  }
}

// The permuted player is the last: the walk's permutations are the same where the families are renamed so.
TEST(ShapleyOfOnePlayer, IsThatOfTheWalk) {
  const std::size_t num_families = 5;
  for (std::size_t player = 0; player < num_families; ++player) {
    const Game renamed = [&](const FamilySubset& subset) {
      FamilySubset original;
      for (const std::size_t k : subset)
        original.push_back(k + 1 == num_families ? player : k + (k >= player));
      std::sort(original.begin(), original.end());
      return random_game(original);
    };
    const ShapleySettings settings{.num_permutations = 7, .tolerance = -1, .seed = 3};
    const auto walk = shapley_values(num_families, .25, values_of(renamed), settings);
    const auto value = shapley_value_of({player}, num_families, .25, values_of(random_game), settings);
    ASSERT_TRUE(walk.ok() && value.ok());
    EXPECT_EQ(value->mean, walk->families.back().mean) << player;
    EXPECT_EQ(value->standard_error, walk->families.back().standard_error) << player;
  }
}

TEST(ShapleyOfOnePlayer, MayBeSeveralFamilies) {
  for (const FamilySubset& player : {FamilySubset{0, 1}, {1, 3}, {0, 2, 4}}) {
    const auto value =
        shapley_value_of(player, 5, .25, values_of(random_game), {.num_permutations = 4000, .seed = 2});
    ASSERT_TRUE(value.ok());
    EXPECT_GT(value->standard_error, 0);
    EXPECT_LT(value->standard_error, .01);
    EXPECT_NEAR(value->mean, by_brute_force(player, 5, .25, random_game), 4 * value->standard_error)
        << player.size() << " families from " << player[0];
  }
}

TEST(ShapleyOfOnePlayer, AloneItGainsAllInEveryPermutation) {
  const auto value = shapley_value_of({0, 1, 2}, 3, .1, values_of(worked_example), {.num_permutations = 4});
  ASSERT_TRUE(value.ok());
  EXPECT_DOUBLE_EQ(value->mean, .65);
  EXPECT_NEAR(value->standard_error, 0, 1e-15);
}

TEST(ShapleyOfOnePlayer, AsksOfNoSubsetTwiceAndOfAtMostTwoInAPermutation) {
  std::vector<FamilySubset> asked;
  std::size_t num_calls = 0;
  const SubsetValues values = [&](std::span<const FamilySubset> subsets) -> Result<std::vector<double>> {
    asked.insert(asked.end(), subsets.begin(), subsets.end());
    ++num_calls;
    return std::vector<double>(subsets.size());
  };
  for (const std::size_t num_permutations : {1u, 5u, 200u}) {
    asked.clear();
    ASSERT_TRUE(shapley_value_of({1, 2}, 5, 0, values, {.num_permutations = num_permutations}).ok());
    EXPECT_LE(asked.size(), 2 * num_permutations);
    EXPECT_EQ(std::set(asked.begin(), asked.end()).size(), asked.size());
    for (const FamilySubset& subset : asked) {
      EXPECT_FALSE(subset.empty());
      EXPECT_TRUE(std::is_sorted(subset.begin(), subset.end()));
    }
  }
  EXPECT_EQ(asked.size(), 15u) << "with and without the player, but for the empty set";
  EXPECT_EQ(num_calls, 3u) << "in one go, so that trainings run side by side";
}

TEST(ShapleyOfOnePlayer, ErrorsOfValuesAreItsOwn) {
  const auto value = shapley_value_of(
      {1}, 2, 0, [](auto) -> Result<std::vector<double>> { return failure("disk full"); }, {});
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.error().message, "disk full");
}

}  // namespace
}  // namespace mash
