// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/shapley.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <map>
#include <numeric>
#include <set>

#include "framework/base/random.hpp"
#include "framework/base/statistics.hpp"

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
  game.values =
      [worth = std::move(worth)](std::span<const SeededSubset> subsets) -> Result<std::vector<SubsetValue>> {
    std::vector<SubsetValue> values;
    for (const SeededSubset& subset : subsets) values.push_back({worth(subset.families)});
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
  EXPECT_LE(credit_of(game_of(sizes, 12), {.num_pairs = 150, .batch = 2}).num_permutations, 60u);
}

// Two families of which one is always first or last where the other is not could never be told apart.
TEST(Shapley, PermutationsGoOnUntilAnyTwoFamiliesCanBeCompared) {
  const Worth sizes = [](const FamilySubset& subset) { return double(subset.size()); };
  const ShapleyCredit credit = credit_of(game_of(sizes, 10), {.num_pairs = 60, .batch = 1});
  ASSERT_GT(credit.num_permutations, 0u);
  EXPECT_LT(credit.num_permutations, 100u);
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      std::size_t num_common = 0;
      for (std::size_t pair = 0; pair < credit.parts[i].of_pairs.size(); ++pair)
        num_common += std::isfinite(credit.parts[i].of_pairs[pair] + credit.parts[j].of_pairs[pair]);
      EXPECT_GE(num_common, 3u) << i << " " << j;
    }
  EXPECT_EQ(credit_of(game_of(sizes, 10), {.num_pairs = 30, .walks_all = true}).num_permutations, 60u)
      << "as many as were asked for";
}

TEST(Shapley, OfSevenFamiliesAllOrdersCount) {
  const FamilyGame seven = game_of(random_worth, 7);
  const ShapleyCredit credit = credit_of(seven, {.num_pairs = 4});
  EXPECT_EQ(credit.num_permutations, 0u);
  EXPECT_EQ(credit.num_subsets, 127u);
  for (std::size_t k = 0; k < 7; ++k)
    EXPECT_NEAR(credit.families[k].mean, by_brute_force({k}, 7, random_worth), 1e-12) << k;
  EXPECT_EQ(most_inner_subsets(7, {.num_pairs = 4}, 5), 5u * (127 - 1 - 14));
  EXPECT_GT(credit_of(game_of(random_worth, 8), {.num_pairs = 4}).num_permutations, 0u);
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

// The part of the variance of a credit that comes of its pictures.
double variance_over_pictures(const CreditParts& parts) {
  return std::pow(statistics_of(parts.of_pictures).sd, 2) / double(parts.of_pictures.size());
}

// A game whose values differ from seed to seed, by noise of this size.
FamilyGame noisy_game(const Worth& worth, std::size_t num_families, std::size_t num_seeds, double noise) {
  FamilyGame game = game_of(worth, num_families);
  game.num_seeds = num_seeds;
  game.values = [=](std::span<const SeededSubset> subsets) -> Result<std::vector<SubsetValue>> {
    std::vector<SubsetValue> values;
    for (const SeededSubset& subset : subsets) {
      std::uint64_t number = subset.seed_idx;
      for (const std::size_t k : subset.families) number |= std::uint64_t(256) << k;
      values.push_back({worth(subset.families) + noise * RandomStream(9, "test.noise", number).normal()});
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

// Sets of families are worth their size, a bit more or less with each seed, and more or less in each picture
// for each family: the credits of the families in all pictures are 1. Its seeds and pictures are drawn.
FamilyGame drawn_game(std::size_t num_families, std::size_t num_seeds, std::uint64_t draw) {
  constexpr std::size_t kPictures = 40;
  FamilyGame game{names(num_families), 0, num_seeds, {}};
  game.values = [=](std::span<const SeededSubset> subsets) -> Result<std::vector<SubsetValue>> {
    std::vector<SubsetValue> values;
    for (const SeededSubset& subset : subsets) {
      std::uint64_t number = draw << 32 | subset.seed_idx << 16;
      for (const std::size_t k : subset.families) number |= std::uint64_t(1) << k;
      RandomStream of_training(9, "test.training", number);
      const double noise = .5 * of_training.normal();
      SubsetValue& value = values.emplace_back();
      for (std::size_t n = 0; n < kPictures; ++n) {
        double worth = noise + .5 * of_training.normal();
        for (const std::size_t k : subset.families)
          worth += 1 + RandomStream(10, "test.picture", draw << 32 | n << 16 | k).normal();
        value.of_pictures.push_back(float(worth));
        value.mean += double(value.of_pictures.back()) / double(kPictures);
      }
    }
    return values;
  };
  return game;
}

double two_sided_p(double t, double degrees) {
  const boost::math::students_t distribution(degrees);
  return 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(t)));
}

TEST(CreditDifference, OfOneKindOfPartsIsStudents) {
  const auto of_seeds = with_error_of(1, {{}, {.1, .2, .4, .3}, {2, 2, 2}});
  ASSERT_TRUE(of_seeds);
  EXPECT_NEAR(of_seeds->degrees, 3, 1e-3);
  const auto of_orders = with_error_of(1, {{.1, NAN, .4, .3}, {.1, .1}, {}});
  ASSERT_TRUE(of_orders);
  EXPECT_NEAR(of_orders->degrees, 2, 1e-3);
}

// A pair of equal families of a large board is told apart where p is below .001 to either side: no more often
// than that, also where five seeds differ little by chance.
TEST(CreditDifference, FewSeedsAreNotTrustedInTheTails) {
  constexpr std::size_t kDraws = 10000;
  for (const double of_seeds : {1.0, 4.0}) {
    std::size_t num_told = 0;
    RandomStream draws(11, "test.tails", std::uint64_t(of_seeds));
    for (std::size_t draw = 0; draw < kDraws; ++draw) {
      CreditParts parts{{}, std::vector<double>(5), std::vector<double>(50)};
      // Means over five seeds and fifty pictures, of variance of_seeds and 1.
      double mean = 0;
      for (double& seed : parts.of_seeds) seed = std::sqrt(5 * of_seeds) * draws.normal();
      for (double& picture : parts.of_pictures) picture = std::sqrt(50) * draws.normal();
      for (const double seed : parts.of_seeds) mean += seed / 5;
      for (const double picture : parts.of_pictures) mean += picture / 50;
      const auto value = with_error_of(mean, parts);
      ASSERT_TRUE(value);
      num_told += two_sided_p(mean / value->standard_error, value->degrees) < .002;
    }
    EXPECT_LE(num_told, 30u) << of_seeds << ": twenty are allowed";
  }
}

// Over many draws of seeds and pictures, of all orders and of drawn ones.
TEST(Shapley, IntervalsHoldTheCreditsForOtherSeedsAndPictures) {
  constexpr std::uint64_t kDraws = 150;
  for (const std::size_t num_families : {4u, 8u}) {
    std::size_t num_missed = 0, num_wrong = 0, num_told = 0;
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      const ShapleyCredit credit =
          credit_of(drawn_game(num_families, 5, draw), {.num_pairs = 24, .batch = 24, .seed = draw});
      EXPECT_EQ(credit.num_permutations == 0, num_families == 4);
      const ShapleyValue& first = credit.families[0];
      ASSERT_TRUE(first.reach());
      num_missed += std::abs(first.mean - 1) > *first.reach();
      num_wrong += std::abs(first.mean - 1) > 1.96 * std::sqrt(first.standard_error * first.standard_error -
                                                               variance_over_pictures(credit.parts[0]));
      const auto difference = credit_difference(credit.families[0].mean, credit.parts[0],
                                                credit.families[1].mean, credit.parts[1]);
      ASSERT_TRUE(difference);
      num_told += two_sided_p(difference->mean / difference->error, difference->degrees) < .05;
    }
    EXPECT_LE(num_missed, kDraws / 8) << num_families;
    EXPECT_LE(num_told, kDraws / 8) << num_families << " equal families";
    EXPECT_GT(num_wrong, num_missed) << num_families << " where pictures are taken for all there are";
  }
}

TEST(Shapley, CreditsOfPicturesAreThoseOfTheirMean) {
  for (const std::size_t num_families : {3u, 5u, 9u}) {
    const ShapleyCredit credit = credit_of(drawn_game(num_families, 2, 1), {.num_pairs = 6});
    for (std::size_t k = 0; k < num_families; ++k) {
      const std::vector<double>& pictures = credit.parts[k].of_pictures;
      ASSERT_EQ(pictures.size(), 40u);
      const double mean = std::accumulate(pictures.begin(), pictures.end(), 0.0) / 40;
      // With drawn orders a rest is shared by the families.
      EXPECT_NEAR(mean, credit.families[k].mean, num_families == 9 ? .5 : 1e-5) << num_families << " " << k;
    }
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
    return *credit_difference(credit.families[one].mean, credit.parts[one], credit.families[other].mean,
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
  const CreditParts one{{1, 3, NAN, 2}, {.5, .5}, {4, 2, 0, 2}}, other{{0, 1, 5, 2}, {.1, .1}, {1, 1, 1, 1}};
  // Pairs 1, 2 and 4: differences 1, 2, 0, a variance of their mean of 1/3. Seeds do not differ. Pictures: 3,
  // 1, -1, 1, of 2/3.
  const auto difference = credit_difference(2, one, 1, other);
  ASSERT_TRUE(difference);
  EXPECT_NEAR(difference->mean, 1, 1e-12);
  EXPECT_NEAR(difference->error, 1, 1e-12);
  // t at .001: 22.327 of two degrees, 10.215 of three; of the square 1/3 22.327^2 + 2/3 10.215^2 = 15.358^2,
  // which is between them.
  EXPECT_GT(difference->degrees, 2.2);
  EXPECT_LT(difference->degrees, 2.8);
  const auto alike = credit_difference(2, one, 2, one);
  ASSERT_TRUE(alike) << "equal to the bit";
  EXPECT_EQ(alike->error, 0);
}

TEST(CreditDifference, OfTooFewPartsIsNotKnown) {
  const CreditParts two_orders{{1, NAN, 2}, {.5, .4}}, one_seed{{1, 2, 3}, {.5}}, all_orders{{}, {.5, .4}};
  EXPECT_FALSE(credit_difference(2, two_orders, 1, two_orders));
  EXPECT_FALSE(credit_difference(2, one_seed, 1, one_seed));
  EXPECT_FALSE(with_error_of(2, {}));
  const auto known = with_error_of(2, all_orders);
  ASSERT_TRUE(known);
  EXPECT_NEAR(known->standard_error, .05, 1e-12);
  EXPECT_NEAR(*known->reach(), 12.7062 * .05, 1e-4) << "Student's t of two seeds";
  EXPECT_FALSE((ShapleyValue{1, .1}.reach()));
}

TEST(Shapley, ErrorsOfValuesAreItsOwn) {
  FamilyGame game = game_of(random_worth, 2);
  game.values = [](auto) -> Result<std::vector<SubsetValue>> { return failure("disk full"); };
  const auto credit = shapley_values(game, {});
  ASSERT_FALSE(credit.ok());
  EXPECT_EQ(credit.error().message, "disk full");
}

}  // namespace
}  // namespace mash
