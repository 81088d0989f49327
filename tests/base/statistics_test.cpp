// SPDX-License-Identifier: Apache-2.0
#include "framework/base/statistics.hpp"

#include <gmock/gmock.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <tuple>
#include <vector>

namespace mash {
namespace {

TEST(Statistics, WorkedByHand) {
  const Statistics none = statistics_of({}), one = statistics_of(std::vector<double>{3});
  EXPECT_EQ(none.mean, 0);
  EXPECT_EQ(one.mean, 3);
  EXPECT_EQ(one.sd, 0);
  const Statistics four = statistics_of(std::vector<double>{1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(four.mean, 3);
  EXPECT_DOUBLE_EQ(four.sd, std::sqrt(14.0 / 3));
}

TEST(Estimate, HalfWidthIsStudentsT) {
  // t(0.975; 1) = 12.7062, t(0.975; 2) = 4.30265, t(0.975; 9) = 2.26216.
  EXPECT_NEAR(*estimate(1, 1, 2).half_width, 12.7062 / 1.414214, 1e-4);
  EXPECT_NEAR(*estimate(1, 0.1, 3).half_width, 4.30265 * 0.1 / 1.732051, 1e-6);
  EXPECT_NEAR(*estimate(1, 2, 10).half_width, 2.26216 * 2 / 3.162278, 1e-4);
  EXPECT_EQ(*estimate(1, 0, 5).half_width, 0);
}

TEST(Estimate, OneRunHasNoInterval) { EXPECT_FALSE(estimate(1, 0, 1).half_width.has_value()); }

TEST(Estimate, OfValuesIsThatOfTheirMeanAndDeviation) {
  const Estimate of_values = estimate(std::vector<double>{1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(of_values.mean, 3);
  EXPECT_DOUBLE_EQ(*of_values.half_width, *estimate(3, std::sqrt(14.0 / 3), 4).half_width);
}

TEST(StudentPValue, IsThatOfTheTables) {
  // Two-sided 5 % and 1 % points.
  for (const auto& [degrees, five, one] :
       std::vector<std::tuple<std::size_t, double, double>>{{1, 12.7062, 63.6567},
                                                            {2, 4.30265, 9.92484},
                                                            {3, 3.18245, 5.84091},
                                                            {4, 2.77645, 4.60409},
                                                            {9, 2.26216, 3.24984},
                                                            {10, 2.22814, 3.16927},
                                                            {30, 2.04227, 2.75000}}) {
    EXPECT_NEAR(student_p_value(five, degrees), .05, 1e-6) << degrees;
    EXPECT_NEAR(student_p_value(-one, degrees), .01, 1e-6) << degrees;
    EXPECT_NEAR(student_p_value(0, degrees), 1, 1e-12) << degrees;
  }
}

TEST(Median, IsTheMiddleOneAndOfTwoTheUpper) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median(std::vector<double>{7}), 7);
  EXPECT_EQ(median(std::vector<double>{9, 1, 5}), 5);
  EXPECT_EQ(median(std::vector<double>{9, 1, 5, 3}), 5);
}

TEST(RankCorrelation, OfSpearman) {
  const std::vector<double> a{1, 2, 3, 4}, same{10, 20, 30, 400}, reversed{4, 3, 2, 1}, ties{1, 1, 2, 2};
  EXPECT_DOUBLE_EQ(rank_correlation(a, same), 1);
  EXPECT_DOUBLE_EQ(rank_correlation(a, reversed), -1);
  EXPECT_NEAR(rank_correlation(a, ties), 0.894427, 1e-6);
  EXPECT_EQ(rank_correlation(a, std::vector<double>(4, 7)), 0);
  EXPECT_NEAR(rank_correlation(std::vector<double>{1, 2, 3, 4, 5}, std::vector<double>{2, 1, 4, 3, 5}), .8,
              1e-12);
}

TEST(TotalVariation, WorkedByHand) {
  const std::vector<double> a{.5, .5, 0}, b{.25, .25, .5};
  EXPECT_DOUBLE_EQ(total_variation(a, b), .5);
  EXPECT_EQ(total_variation(a, a), 0);
  EXPECT_EQ(total_variation(std::vector<double>{1, 0}, std::vector<double>{0, 1}), 1);
}

TEST(Statistics, TooFewValuesBreakARequirement) {
  const std::vector<double> one{1}, two{1, 2};
  EXPECT_THROW(estimate({}), std::logic_error);
  EXPECT_THROW(student_p_value(1, 0), std::logic_error);
  EXPECT_THROW(rank_correlation(one, one), std::logic_error);
  EXPECT_THROW(total_variation(one, two), std::logic_error);
}

TEST(StudentTail, GivesTheDegreesOfAQuantile) {
  for (const double tail : {.01, 1e-4}) {
    const StudentTail known(tail);
    for (const double degrees : {1., 1.5, 2., 3., 7.5, 15., 400., 1e5}) {
      const boost::math::students_t distribution(degrees);
      const double t = boost::math::quantile(boost::math::complement(distribution, tail));
      // From many degrees on the quantile hardly changes.
      EXPECT_NEAR(known.degrees_of(t), degrees, degrees < 1000 ? 3e-4 * degrees : .01 * degrees) << tail;
    }
    EXPECT_EQ(known.degrees_of(1e9), 1);
    EXPECT_EQ(known.degrees_of(1), 1e6) << "less than of any degrees";
  }
  EXPECT_THROW(StudentTail(.5), std::logic_error);
}

// Against tables of Clopper and Pearson's method, and the error of 19 of 210 test pictures.
TEST(ShareInterval, HasTheLimitsOfClopperAndPearson) {
  const auto near = [](std::uint64_t count, std::uint64_t total, double low, double high) {
    const ShareInterval interval = share_interval(count, total);
    EXPECT_NEAR(interval.low, low, 5e-5) << count << " of " << total;
    EXPECT_NEAR(interval.high, high, 5e-5) << count << " of " << total;
  };
  near(19, 210, 0.05535, 0.13768);
  near(0, 10, 0, 0.30850);
  near(10, 10, 0.69150, 1);
  near(5, 10, 0.18709, 0.81291);
}

TEST(ShareInterval, CoversTheShareInNineteenOfTwentyCases) {
  // All counts of 40 whose interval leaves out .1 have at most 5 % probability together.
  constexpr std::uint64_t kTotal = 40;
  constexpr double kShare = 0.1;
  double probability = std::pow(1 - kShare, double(kTotal)), left_out = 0;
  for (std::uint64_t count = 0; count <= kTotal; ++count) {
    const ShareInterval interval = share_interval(count, kTotal);
    if (kShare < interval.low || kShare > interval.high) left_out += probability;
    probability *= double(kTotal - count) / double(count + 1) * kShare / (1 - kShare);
  }
  EXPECT_LT(left_out, 0.05);
  EXPECT_GT(left_out, 0.001);
}

}  // namespace
}  // namespace mash
