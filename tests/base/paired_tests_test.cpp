// SPDX-License-Identifier: Apache-2.0
#include "framework/base/paired_tests.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "framework/base/statistics.hpp"

namespace mash {
namespace {

TEST(PairedTest, WorkedExample) {
  // Differences -1, -2, -3, 0: mean -1.5, sd 1.290994, t = -2.323790 with three degrees of freedom.
  const std::vector<double> a{1, 2, 3, 4}, b{2, 4, 6, 4};
  const PairedTest test = paired_test(a, b);
  EXPECT_DOUBLE_EQ(test.mean_difference, -1.5);
  EXPECT_NEAR(*test.p_value, student_p_value(2.323790, 3), 1e-6);
  EXPECT_NEAR(*test.p_value, .1027, 1e-4);
  EXPECT_EQ(test.num_less, 3u);
}

TEST(PairedTest, EqualMethodsDoNotDiffer) {
  const std::vector<double> a{1, 2, 3};
  const PairedTest test = paired_test(a, a);
  EXPECT_EQ(test.mean_difference, 0);
  EXPECT_EQ(test.p_value, 1);
  EXPECT_EQ(test.num_less, 0u);
}

// Errors are multiples of one example: the same difference on a few seeds may be chance, not p = 0.
TEST(PairedTest, TheSameDifferenceOnEverySeedHasNoP) {
  const std::vector<double> a{1, 2, 3}, b{1.5, 2.5, 3.5}, c{0.1, 0.2, 0.3}, d{0.2, 0.3, 0.4};
  EXPECT_FALSE(paired_test(a, b).p_value.has_value());
  EXPECT_EQ(paired_test(a, b).num_less, 3u);
  EXPECT_FALSE(paired_test(c, d).p_value.has_value()) << "the same but for rounding";
}

TEST(McNemar, WorkedByHand) {
  // B(10, 1/2): P(X <= 1) = 11 / 1024, P(X = 1) = 10 / 1024.
  for (const auto& [fixed, broken] : {std::pair<std::size_t, std::size_t>{9, 1}, {1, 9}}) {
    EXPECT_NEAR(mcnemar(fixed, broken).p_exact, 22.0 / 1024, 1e-12);
    EXPECT_NEAR(mcnemar(fixed, broken).p_mid, 12.0 / 1024, 1e-12);
  }
  // B(5, 1/2): P(X = 0) = 1 / 32.
  EXPECT_NEAR(mcnemar(5, 0).p_exact, 2.0 / 32, 1e-12);
  EXPECT_NEAR(mcnemar(5, 0).p_mid, 1.0 / 32, 1e-12);
}

TEST(McNemar, AsManyFixedAsBrokenIsNoDifference) {
  for (const std::size_t n : {0u, 1u, 3u, 50u}) {
    EXPECT_NEAR(mcnemar(n, n).p_exact, 1, 1e-12) << n;
    EXPECT_NEAR(mcnemar(n, n).p_mid, 1, 1e-12) << n;
  }
}

TEST(Holm, WorkedByHand) {
  // Sorted .005 * 4, .01 * 3, .03 * 2, and .04 * 1, which is no less than the one before it.
  const auto corrected = holm_corrected(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  ASSERT_EQ(corrected.size(), 4u);
  EXPECT_NEAR(corrected[0], 0.03, 1e-12);
  EXPECT_NEAR(corrected[1], 0.06, 1e-12);
  EXPECT_NEAR(corrected[2], 0.06, 1e-12);
  EXPECT_NEAR(corrected[3], 0.02, 1e-12);
  EXPECT_THAT(holm_corrected(std::vector<double>{0.9, 0.6}), ::testing::ElementsAre(1, 1));
  EXPECT_THAT(holm_corrected(std::vector<double>{0.2}), ::testing::ElementsAre(0.2));
  EXPECT_TRUE(holm_corrected({}).empty());
}

TEST(HolmFactors, AreWhatThePValuesAreMultipliedBy) {
  const auto factors = holm_factors(std::vector<double>{0.01, 0.04, 0.03, 0.005});
  EXPECT_NEAR(factors[0], 3, 1e-12);
  EXPECT_NEAR(factors[1], .06 / .04, 1e-12);
  EXPECT_NEAR(factors[2], 2, 1e-12);
  EXPECT_NEAR(factors[3], 4, 1e-12);
  EXPECT_NEAR(holm_factors(std::vector<double>{0.9, 0.6})[1], 2, 1e-12) << "not cut off at a p of 1";
  EXPECT_THAT(holm_factors(std::vector<double>{0, .5, 0}), ::testing::ElementsAre(3, 1, 2));
}

TEST(PairedTest, UnpairedOrTooFewValuesBreakARequirement) {
  const std::vector<double> one{1}, two{1, 2};
  EXPECT_THROW(paired_test(one, one), std::logic_error);
  EXPECT_THROW(paired_test(one, two), std::logic_error);
  EXPECT_THROW(differ_alike({}, {}), std::logic_error);
}

}  // namespace
}  // namespace mash
