// SPDX-License-Identifier: Apache-2.0
#include "framework/base/paired_test.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace mash {
namespace {

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

TEST(PairedTest, WorkedExample) {
  // Differences -1, -2, -3, 0: mean -1.5, sd 1.290994, t = -2.323790 with three degrees of freedom.
  const std::vector<double> a{1, 2, 3, 4}, b{2, 4, 6, 4};
  const PairedTest test = paired_test(a, b);
  EXPECT_DOUBLE_EQ(test.mean_difference, -1.5);
  EXPECT_NEAR(test.p_value, student_p_value(2.323790, 3), 1e-6);
  EXPECT_NEAR(test.p_value, .1027, 1e-4);
  EXPECT_EQ(test.num_less, 3u);
}

TEST(PairedTest, EqualMethodsDoNotDiffer) {
  const std::vector<double> a{1, 2, 3};
  const PairedTest test = paired_test(a, a);
  EXPECT_EQ(test.mean_difference, 0);
  EXPECT_EQ(test.p_value, 1);
  EXPECT_EQ(test.num_less, 0u);
}

TEST(PairedTest, TheSameDifferenceOnEverySeedIsCertain) {
  const std::vector<double> a{1, 2, 3}, b{1.5, 2.5, 3.5};
  EXPECT_LT(paired_test(a, b).p_value, 1e-12);
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

}  // namespace
}  // namespace mash
