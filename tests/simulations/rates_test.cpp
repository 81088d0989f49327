// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/rates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

namespace mash::simulated {
namespace {

constexpr double kMost = .055;  // the share of misses that is allowed where 5 % are meant

// Four standard errors of a share of num_draws that is kMost.
double margin(std::size_t num_draws) { return 4 * std::sqrt(kMost * (1 - kMost) / double(num_draws)); }

constexpr std::size_t kSizes[][2] = {{2, 1000},  {3, 1000}, {4, 1000}, {6, 1000}, {8, 1000},
                                     {16, 1000}, {2, 10},   {4, 10},   {4, 2},    {16, 2}};
constexpr double kParts[] = {1, 2, 10, 100, 1000};

TEST(MeanError, MissesAsSeldomAsItSays) {
  constexpr std::size_t kDraws = 2000;
  for (const auto& [num_seeds, num_examples] : kSizes)
    for (const double seeds : kParts)
      for (const double examples : kParts) {
        const Rates found =
            of_tables({num_seeds, num_examples, seeds, examples}, own_reach, kMiss, kDraws, 1);
        EXPECT_LT(found.missed, kMost + margin(kDraws))
            << num_seeds << " seeds, " << num_examples << " examples, parts " << seeds << ", " << examples;
      }
}

// Seeds that share nothing make the widest intervals against what could be known.
TEST(MeanError, IsNoWiderThanFewSeedsMakeIt) {
  struct Widest {
    std::size_t num_seeds;
    double width;
  };
  for (const auto& [num_seeds, width] : {Widest{2, 5.5}, {4, 1.65}, {8, 1.27}, {16, 1.15}})
    for (const double seeds : kParts)
      for (const double examples : {1., 4., 100.})
        EXPECT_LT(of_tables({num_seeds, 1000, seeds, examples}, own_reach, kMiss, 2000, 2).width, width)
            << num_seeds << " seeds, parts " << seeds << ", " << examples;
}

// The reason why MeanError has no t of Satterthwaite's degrees of freedom.
TEST(SatterthwaiteReach, MissesTooOftenWhereFewSeedsShareMuch) {
  EXPECT_GT(of_tables({2, 1000, 1000, 100}, satterthwaite_reach, kMiss, 5000, 3).missed, .1);
  EXPECT_GT(of_tables({4, 1000, 100, 10}, satterthwaite_reach, kMiss, 20000, 3).missed, .058);
}

TEST(MeanError, DrawnMeanSquaresAreThoseOfWholeTables) {
  constexpr std::size_t kDraws = 4000;
  for (const Design& design : {Design{3, 40, 4, 2}, Design{5, 20, 1, 1}}) {
    const Rates drawn = of_tables(design, own_reach, kMiss, kDraws, 4),
                whole = of_whole_tables(design, kDraws, 5);
    EXPECT_NEAR(drawn.width / whole.width, 1, .05);
    EXPECT_NEAR(drawn.missed, whole.missed, 4 * std::sqrt(2 * .05 * .95 / kDraws));
  }
}

TEST(DifferenceOverBoth, MistakesAreNoNormalNumbersAndNeedNotBe) {
  constexpr std::size_t kDraws = 1500;
  for (const Mistakes01 kind :
       {Mistakes01::kSameEachSeed, Mistakes01::kOthersEachSeed, Mistakes01::kSeedsLeanOver})
    for (const std::size_t num_seeds : {2u, 4u})
      for (const double num_changed : {4., 20.})
        EXPECT_LT(of_mistakes(kind, {num_seeds, 200}, num_changed, kDraws, 6).missed, kMost + margin(kDraws))
            << int(kind) << ", " << num_seeds << " seeds, " << num_changed << " changed";
}

TEST(DifferenceOverExamples, OneRunEachMissesAsSeldomAsItSays) {
  constexpr std::size_t kDraws = 4000;
  for (const double num_changed : {4., 8., 40.})
    EXPECT_LT(of_mistakes(Mistakes01::kOthersEachSeed, {1, 200}, num_changed, kDraws, 7).missed,
              kMost + margin(kDraws))
        << num_changed;
}

TEST(Looks, TogetherMissAsSeldomAsTheySay) {
  constexpr std::size_t kDraws = 1500;
  for (const double seeds : {1., 4., 30.})
    for (const double examples : {1., 8.})
      EXPECT_LT(wrong_by_any_look({32, 30, seeds, examples}, 32, kDraws, 8), .03 + margin(kDraws))
          << seeds << ", " << examples << ": these looks spend 3 %";
}

TEST(ComparedPairs, TogetherMissAsSeldomAsTheySay) {
  constexpr std::size_t kDraws = 400;
  for (const std::size_t num_seeds : {2u, 5u})
    EXPECT_LT(wrong_by_any_pair(4, {num_seeds, 50, 10, 2}, kDraws, 9), kMost + margin(kDraws)) << num_seeds;
}

}  // namespace
}  // namespace mash::simulated
