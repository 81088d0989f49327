// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/shapley.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "framework/base/random.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using Worth = std::function<double(const FamilySubset&)>;

// The values of sets of the families A, B, C: A .5, B .4, C 0, AB .5, AC .7, BC .6, ABC .75.
double worked_worth(const FamilySubset& subset) {
  static const std::map<FamilySubset, double> values{
      {{}, 0}, {{0}, .5}, {{1}, .4}, {{2}, 0}, {{0, 1}, .5}, {{0, 2}, .7}, {{1, 2}, .6}, {{0, 1, 2}, .75}};
  return values.at(subset);
}

// A game whose values are random: nothing in it is symmetric, and many sets are worth more than all families.
double random_worth(const FamilySubset& subset) {
  std::uint64_t number = 0;
  for (const std::size_t k : subset) number |= std::uint64_t(1) << k;
  return RandomStream(5, "test.shapley", number).uniform();
}

// Every family adds, less and less; two of them beside each other spoil what the others do.
double overshooting_worth(const FamilySubset& subset) {
  double worth = 0;
  for (std::size_t i = 0; i < subset.size(); ++i) worth += double(1 + subset[i]) / double(1 + i);
  const bool has_both = std::ranges::count(subset, 2u) + std::ranges::count(subset, 5u) == 2;
  return has_both ? worth / 2 : worth;
}

std::vector<std::string> names(std::size_t num_families) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < num_families; ++k) names.push_back("family " + std::to_string(k));
  return names;
}

FamilyGame game_of(Worth worth, std::size_t num_families) {
  FamilyGame game{names(num_families), worth({}), 1, {}};
  game.values = [worth =
                     std::move(worth)](std::span<const SeededSubset> subsets) -> Result<std::vector<double>> {
    std::vector<double> values;
    for (const SeededSubset& subset : subsets) values.push_back(worth(subset.families));
    return values;
  };
  return game;
}

ShapleyCredit credit_of(const FamilyGame& game, const ShapleySettings& settings) {
  auto credit = shapley_values(game, settings);
  if (!credit.ok()) throw std::runtime_error(credit.error().message);
  return *std::move(credit);
}

double sum(const ShapleyCredit& credit) {
  double sum = 0;
  for (const ShapleyValue& value : credit.families) sum += value.mean;
  return sum;
}

// The mean over all orders of the players, of which one is `player` and the others are single families.
double by_brute_force(const FamilySubset& player, std::size_t num_families, const Worth& worth) {
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
    sum += worth(after) - worth(before);
    ++num_orders;
  } while (std::next_permutation(order.begin(), order.end()));
  return sum / double(num_orders);
}

TEST(Shapley, WorkedExample) {
  const ShapleyCredit credit = credit_of(game_of(worked_worth, 3), {.num_pairs = 1});
  const double expected[] = {.35, .25, .15};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(credit.families[k].mean, expected[k], 1e-12) << k;
    EXPECT_EQ(credit.families[k].standard_error, 0);
    EXPECT_NEAR(by_brute_force({k}, 3, worked_worth), expected[k], 1e-12) << "the test itself";
  }
  EXPECT_NEAR(credit.total, .75, 1e-12);
  EXPECT_EQ(credit.num_subsets, 7u) << "each subset once";
  EXPECT_EQ(credit.num_permutations, 0u) << "all subsets are ends: nothing is drawn";
}

// A walk that ended where a set is as good as the whole would miss what the families spoil.
TEST(Shapley, AGameThatOvershootsIsExactWhereAllSubsetsAreAsked) {
  constexpr std::size_t kFamilies = 7;
  ASSERT_GT(overshooting_worth({0, 1, 3, 4, 5, 6}), overshooting_worth({0, 1, 2, 3, 4, 5, 6}));
  for (const Worth& worth : {Worth(overshooting_worth), Worth(random_worth)}) {
    const ShapleyCredit credit = credit_of(game_of(worth, kFamilies), {.num_pairs = 1000});
    EXPECT_EQ(credit.num_subsets, 127u);
    for (std::size_t k = 0; k < kFamilies; ++k) {
      EXPECT_NEAR(credit.families[k].mean, by_brute_force({k}, kFamilies, worth), 1e-12) << k;
      EXPECT_EQ(credit.families[k].standard_error, 0);
    }
    EXPECT_NEAR(sum(credit), credit.total, 1e-12);
  }
  EXPECT_LT(credit_of(game_of(overshooting_worth, kFamilies), {.num_pairs = 1000}).families[2].mean, 0);
}

// Many draws of the same game: the errors say how far the estimates are from the exact values.
TEST(Shapley, ErrorsOfSampledValuesAreAsLargeAsTheySay) {
  constexpr std::size_t kFamilies = 8;
  constexpr std::uint64_t kDraws = 200;
  for (const Worth& worth : {Worth(overshooting_worth), Worth(random_worth)}) {
    const FamilyGame game = game_of(worth, kFamilies);
    const ShapleyCredit exact = credit_of(game, {.num_pairs = 1000});
    std::vector<double> squares(kFamilies), claimed(kFamilies), off(kFamilies);
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
      const ShapleyCredit credit = credit_of(game, {.num_pairs = 12, .batch = 12, .seed = seed});
      EXPECT_EQ(credit.num_permutations, 24u);
      EXPECT_NEAR(sum(credit), exact.total, 1e-9);
      for (std::size_t k = 0; k < kFamilies; ++k) {
        const double distance = credit.families[k].mean - exact.families[k].mean;
        off[k] += distance / double(kDraws);
        squares[k] += distance * distance;
        claimed[k] += std::pow(credit.families[k].standard_error, 2);
      }
    }
    for (std::size_t k = 0; k < kFamilies; ++k) {
      EXPECT_LT(squares[k], 1.3 * claimed[k]) << k;
      EXPECT_GT(squares[k], .5 * claimed[k]) << k;
      EXPECT_LT(std::abs(off[k]), .05 * std::abs(exact.total)) << k;
    }
  }
}

TEST(Shapley, MorePermutationsAreDrawnUntilErrorsAreSmall) {
  const FamilyGame game = game_of(random_worth, 12);
  const ShapleyCredit credit = credit_of(game, {.num_pairs = 150});
  double largest = 0, error = 0;
  for (const ShapleyValue& value : credit.families) {
    largest = std::max(largest, std::abs(value.mean));
    error = std::max(error, value.standard_error);
  }
  EXPECT_TRUE(error <= largest / 5 || credit.num_permutations == 300) << error << " " << largest;
  // Where the families' gains hardly depend on the order, a few permutations tell.
  const Worth sizes = [](const FamilySubset& subset) {
    double worth = 0;
    for (const std::size_t k : subset) worth += double(k);
    return worth + .01 * random_worth(subset);
  };
  EXPECT_LE(credit_of(game_of(sizes, 12), {.num_pairs = 150, .batch = 2}).num_permutations, 16u);
}

TEST(Shapley, WithoutErrorsNothingIsMeasured) {
  const ShapleyCredit credit = credit_of(game_of(random_worth, 12), {.num_pairs = 1});
  EXPECT_NEAR(sum(credit), credit.total, 1e-12);
  for (const ShapleyValue& value : credit.families) EXPECT_FALSE(value.is_measured());
  EXPECT_TRUE((ShapleyValue{-1, .5}).is_measured());
  EXPECT_FALSE((ShapleyValue{1, .51}).is_measured());
}

TEST(Shapley, AnotherFamilyChangesNothingInTheOrderOfTheOthers) {
  auto few = names(6), many = few;
  many.insert(many.begin() + 2, "a newcomer");
  std::set<std::vector<std::size_t>> orders;
  for (std::size_t number = 0; number < 20; ++number) {
    std::vector<std::string> before, after;
    for (const std::size_t k : family_order(few, 3, number)) before.push_back(few[k]);
    for (const std::size_t k : family_order(many, 3, number))
      if (many[k] != "a newcomer") after.push_back(many[k]);
    EXPECT_EQ(before, after) << number;
    orders.insert(family_order(few, 3, number));
    auto backwards = family_order(few, 3, number ^ 1);
    std::ranges::reverse(backwards);
    EXPECT_EQ(backwards, family_order(few, 3, number));
  }
  EXPECT_GT(orders.size(), 15u);
  EXPECT_NE(family_order(few, 3, 0), family_order(few, 4, 0));
}

TEST(Shapley, SameSeedSameCreditWhateverTheBatch) {
  const FamilyGame game = game_of(random_worth, 9);
  const ShapleyCredit a = credit_of(game, {.num_pairs = 4, .batch = 1, .seed = 7}),
                      b = credit_of(game, {.num_pairs = 4, .batch = 4, .seed = 7});
  for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(a.families[k].mean, b.families[k].mean);
}

// A game whose values differ from seed to seed, by noise of this size.
FamilyGame noisy_game(const Worth& worth, std::size_t num_families, std::size_t num_seeds, double noise) {
  FamilyGame game = game_of(worth, num_families);
  game.num_seeds = num_seeds;
  game.values = [=](std::span<const SeededSubset> subsets) -> Result<std::vector<double>> {
    std::vector<double> values;
    for (const SeededSubset& subset : subsets) {
      std::uint64_t number = subset.seed_idx;
      for (const std::size_t k : subset.families) number |= std::uint64_t(256) << k;
      values.push_back(worth(subset.families) + noise * RandomStream(9, "test.noise", number).normal());
    }
    return values;
  };
  return game;
}

TEST(Shapley, OfSeveralSeedsIsTheMeanOfTheirGames) {
  const ShapleyCredit credit = credit_of(noisy_game(worked_worth, 3, 40, .01), {.num_pairs = 1});
  EXPECT_EQ(credit.num_subsets, 7u * 40);
  const double expected[] = {.35, .25, .15};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(credit.families[k].mean, expected[k], 4 * credit.families[k].standard_error) << k;
    EXPECT_LT(credit.families[k].standard_error, .01);
    EXPECT_GT(credit.families[k].standard_error, .0001) << "seeds differ";
    ASSERT_EQ(credit.parts[k].of_seeds.size(), 40u);
    EXPECT_TRUE(credit.parts[k].of_pairs.empty());
  }
}

// Two families of ten that are alike, and one that adds much more: their parts tell which differ.
TEST(CreditDifference, TellsFamiliesApartByTheirParts) {
  const Worth worth = [](const FamilySubset& subset) {
    double sum = 0;
    for (const std::size_t k : subset) sum += k == 0 ? 3 : 1;
    return std::sqrt(sum);
  };
  const ShapleyCredit credit = credit_of(noisy_game(worth, 10, 3, .02), {.num_pairs = 12, .batch = 12});
  const auto difference = [&](std::size_t one, std::size_t other) {
    return credit_difference(credit.families[one], credit.parts[one], credit.families[other],
                             credit.parts[other]);
  };
  const PairDifference apart = difference(0, 1), alike = difference(1, 2), back = difference(1, 0);
  EXPECT_NEAR(apart.mean, credit.families[0].mean - credit.families[1].mean, 1e-12);
  EXPECT_GT(apart.mean / apart.error, 5);
  EXPECT_LT(std::abs(alike.mean), 4 * alike.error);
  EXPECT_GE(alike.degrees, 1);
  EXPECT_NEAR(back.mean, -apart.mean, 1e-12);
  EXPECT_NEAR(back.error, apart.error, 1e-12);
}

TEST(CreditDifference, WorkedByHand) {
  const CreditParts one{{1, 3, NAN, 2}, {.5}}, other{{0, 1, 5, 2}, {.1}};
  // Pairs 1, 2 and 4: differences 1, 2, 0, of standard deviation 1; one seed has no spread.
  const PairDifference difference = credit_difference({2, .1}, one, {1, .1}, other);
  EXPECT_NEAR(difference.mean, 1, 1e-12);
  EXPECT_NEAR(difference.error, 1 / std::sqrt(3), 1e-12);
  EXPECT_NEAR(difference.degrees, 2, 1e-12);
  const CreditParts few{{1, NAN}, {.5}};
  EXPECT_EQ(credit_difference({2, .1}, few, {1, .1}, few).error, 0) << "too few to tell";
}

TEST(Shapley, ErrorsOfValuesAreItsOwn) {
  FamilyGame game = game_of(random_worth, 2);
  game.values = [](auto) -> Result<std::vector<double>> { return failure("disk full"); };
  const auto credit = shapley_values(game, {});
  ASSERT_FALSE(credit.ok());
  EXPECT_EQ(credit.error().message, "disk full");
}

}  // namespace
}  // namespace mash
