// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/shapley.hpp"

#include <numeric>

namespace mash {
namespace {

// Of families A, B, C: A .5, B .4, C 0, AB .5, AC .7, BC .6, ABC .75.
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

}  // namespace
}  // namespace mash
