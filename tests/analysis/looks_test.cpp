// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/looks.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "framework/base/random.hpp"

namespace mash {
namespace {

TEST(Looks, ShareFivePerCent) {
  double sum = 0;
  for (const Look& look : kLooks) sum += look.alpha;
  EXPECT_NEAR(sum, .05, 1e-12);
}

TEST(Looks, FactorsOfStudent) {
  const double expected[] = {10.2145, 3.6666, 2.9467, 2.7440, 2.6561, 2.6151};
  for (std::size_t i = 0; i < kLooks.size(); ++i) {
    const MeanError error = error_over_seeds(1, kLooks[i].num_seeds);
    EXPECT_NEAR(error.reach(kLooks[i].alpha) / error.standard_error(), expected[i], 1e-4);
  }
}

TEST(Looks, NextComesAfterTheSeeds) {
  EXPECT_EQ(next_look(0)->num_seeds, 4u);
  EXPECT_EQ(next_look(3)->num_seeds, 4u);
  EXPECT_EQ(next_look(4)->num_seeds, 8u);
  EXPECT_EQ(next_look(127)->num_seeds, 128u);
  EXPECT_EQ(next_look(128), nullptr);
}

TEST(DecisionOf, AsksForHarmBeforeNothing) {
  EXPECT_EQ(decision_of({.1, .5}, 1), GainDecision::kAdds);
  EXPECT_EQ(decision_of({.1, 5}, 1), GainDecision::kAdds);
  EXPECT_EQ(decision_of({-2, -.1}, 1), GainDecision::kHarms);
  EXPECT_EQ(decision_of({-.5, .9}, 1), GainDecision::kNothing);
  EXPECT_EQ(decision_of({-.5, 1}, 1), GainDecision::kUndecided);
  EXPECT_EQ(decision_of({0, 2}, 1), GainDecision::kUndecided);
}

TEST(IsSettled, NothingIsKnownToHalfOfWhatMatters) {
  const auto look = [](double low, double high) {
    return GainAtLook{kLooks[0], (low + high) / 2, {}, {low, high}};
  };
  EXPECT_TRUE(is_settled(look(.1, 5), 1, .5));
  EXPECT_TRUE(is_settled(look(-5, -.1), 1, .5));
  EXPECT_TRUE(is_settled(look(-.2, .7), 1, .5));
  EXPECT_FALSE(is_settled(look(-.6, .7), 1, .5));
  EXPECT_TRUE(is_settled(look(-.6, .7), 1, 1)) << "known well enough";
  EXPECT_FALSE(is_settled(look(-.2, 1.1), 1, .5));
}

// Gains of one SD a seed and a part of 100 examples, which is the square of what more seeds leave of the
// error.
GainAtLook look_with(double gain, double sd, double of_examples) {
  const Look& look = kLooks[1];
  const MeanSquares squares{100 * sd * sd, of_examples * double(look.num_seeds) * 100, 0};
  return {look, gain, {squares, look.num_seeds, 100}, {}};
}

TEST(SeedsToDecide, IsWhereTheIntervalLeavesOutZeroOrWhatMatters) {
  // A gain of 0 must come to reach less than 1, one of 2 less than 2. With an alpha of .01: 2 t / sqrt(S) is
  // 1.006 for 30 seeds and .988 for 31; 2.06 for 10 and 1.91 for 11.
  EXPECT_EQ(seeds_to_decide(look_with(0, 2, 0), 1), 31u);
  EXPECT_EQ(seeds_to_decide(look_with(2, 2, 0), 1), 11u);
  EXPECT_EQ(seeds_to_decide(look_with(-1, 2, 0), 1), 11u);
  EXPECT_GT(seeds_to_decide(look_with(0, 2, .1), 1), seeds_to_decide(look_with(0, 2, 0), 1));
  EXPECT_EQ(seeds_to_decide(look_with(0, 2, .2), 1), 0u) << "the examples alone make it wider";
}

TEST(IsNarrowEnough, WhereItIsOrWhereMoreSeedsWouldNotMakeItSo) {
  const auto look = [](double reach, double sd, double of_examples) {
    GainAtLook last = look_with(3, sd, of_examples);
    last.interval = {3 - reach, 3 + reach};
    return last;
  };
  EXPECT_TRUE(is_narrow_enough(look(1, 5, 0), 1, 128));
  EXPECT_FALSE(is_narrow_enough(look(1.01, 2, 0), 1, 128)) << "31 seeds would do";
  EXPECT_FALSE(is_narrow_enough(look(1.01, 2, 0), 1, 31));
  EXPECT_TRUE(is_narrow_enough(look(1.01, 2, 0), 1, 30));
  EXPECT_TRUE(is_narrow_enough(look(1.01, 2, .2), 1, 128)) << "the examples alone make it wider";
}

// Tests of nothing, with seeds and examples that differ: the looks together are wrong in one of twenty at
// most, and not much more seldom than they may be.
TEST(Looks, TogetherAreSeldomWrong) {
  constexpr int kTests = 2000;
  constexpr std::size_t kExamples = 100, kMostSeeds = 32;
  int num_wrong = 0;
  for (int test = 0; test < kTests; ++test) {
    RandomStream stream(std::uint64_t(test), "test.looks");
    PairedLosses losses(kExamples);
    bool is_wrong = false;
    for (const Look& look : kLooks) {
      if (look.num_seeds > kMostSeeds) break;
      while (losses.num_seeds() < look.num_seeds) {
        const double of_seed = .01 * stream.normal();
        std::vector<double> after;
        for (std::size_t n = 0; n < kExamples; ++n) after.push_back(1 + of_seed + .02 * stream.normal());
        losses.add(std::vector<double>(kExamples, 1.0), after);
      }
      const Interval interval = gain_at(look, losses, 0).interval;
      is_wrong = is_wrong || interval.low > 0 || interval.high < 0;
    }
    num_wrong += is_wrong;
  }
  EXPECT_LT(num_wrong, .03 * kTests + 4 * std::sqrt(kTests * .03 * .97)) << "these looks spend .03";
  EXPECT_GT(num_wrong, .01 * kTests);
}

}  // namespace
}  // namespace mash
