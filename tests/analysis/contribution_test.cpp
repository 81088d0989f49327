// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/contribution.hpp"

#include "framework/analysis/family_contribution.hpp"
#include "framework/base/paired_tests.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;

// Five examples, their labels and what three seeds say before and after.
const std::vector<std::uint16_t> kLabels{0, 0, 1, 1, 2};
const std::vector<TestRun> kBefore{
    {1, 0.6, {1, 1, 1, 1, 0}}, {2, 0.4, {1, 0, 1, 1, 0}}, {3, 0.6, {1, 1, 1, 1, 0}}};
const std::vector<TestRun> kAfter{
    {1, 0.2, {0, 1, 1, 1, 2}}, {2, 0.4, {0, 1, 0, 1, 2}}, {3, 0.4, {0, 1, 0, 1, 2}}};

TEST(Compare, RunsThatCannotBePairedBreakARequirement) {
  std::vector<TestRun> other_seed = kAfter, fewer_predictions = kAfter;
  other_seed[1].seed = 7;
  fewer_predictions[2].predicted.pop_back();
  EXPECT_THROW(compare(kBefore, std::span(kAfter).first(2), kLabels, 3), std::logic_error);
  EXPECT_THROW(compare({}, {}, kLabels, 3), std::logic_error);
  EXPECT_THROW(compare(kBefore, other_seed, kLabels, 3), std::logic_error);
  EXPECT_THROW(compare(kBefore, fewer_predictions, kLabels, 3), std::logic_error);
  EXPECT_THROW(compare(kBefore, kAfter, kLabels, 2), std::logic_error) << "a label is beyond the classes";
}

TEST(Compare, GainsArePairedBySeed) {
  const Comparison comparison = compare(kBefore, kAfter, kLabels, 3);
  ASSERT_EQ(comparison.gains.size(), 3u);
  EXPECT_NEAR(comparison.gains[0], 0.4, 1e-12);
  EXPECT_NEAR(comparison.gains[1], 0, 1e-12);
  EXPECT_NEAR(comparison.gains[2], 0.2, 1e-12);
  EXPECT_NEAR(comparison.gain.mean, 0.2, 1e-12);
  // Sample deviation 0.2, t of two degrees of freedom 4.30265.
  EXPECT_NEAR(*comparison.gain.half_width, 4.30265 * 0.2 / std::sqrt(3.0), 1e-5);
  EXPECT_NEAR(comparison.p_value, student_p_value(std::sqrt(3.0), 2), 1e-12);
}

TEST(Compare, ExamplesGoByTheMajorityOfSeeds) {
  const Comparison comparison = compare(kBefore, kAfter, kLabels, 3);
  EXPECT_THAT(comparison.fixed, ElementsAre(0u, 4u));
  EXPECT_THAT(comparison.broken, ElementsAre(2u));
  EXPECT_NEAR(comparison.examples.p_mid, mcnemar(2, 1).p_mid, 1e-12);
}

// Errors are multiples of one example: a few equal gains may be chance.
TEST(Compare, EqualGainsHaveNoInterval) {
  const std::vector<TestRun> before(3, {1, 0.4, {1, 1, 1, 1, 2}}), after(3, {1, 0.2, {0, 1, 1, 1, 2}});
  const Comparison comparison = compare(before, after, kLabels, 3);
  EXPECT_NEAR(comparison.gain.mean, 0.2, 1e-12);
  EXPECT_FALSE(comparison.gain.half_width.has_value());
  EXPECT_EQ(comparison.p_value, 1);
  const Comparison none = compare(before, before, kLabels, 3);
  EXPECT_EQ(none.gain.half_width, 0) << "no difference at all says that there is none";
  EXPECT_EQ(none.p_value, 1);
}

TEST(Compare, OneSeedHasNoInterval) {
  const Comparison comparison = compare(std::span(kBefore).first(1), std::span(kAfter).first(1), kLabels, 3);
  EXPECT_NEAR(comparison.gain.mean, 0.4, 1e-12);
  EXPECT_FALSE(comparison.gain.half_width);
  EXPECT_EQ(comparison.p_value, 1);
}

TEST(ConstantError, IsThatOfTheMostFrequentTrainingClass) {
  const std::vector<std::uint16_t> train{0, 1, 1, 2}, test{1, 0, 0, 1, 1, 2, 2, 2, 2, 2};
  EXPECT_NEAR(constant_error(train, test, 3), 0.7, 1e-12);
  const std::vector<std::uint16_t> even{2, 1, 0};
  EXPECT_NEAR(constant_error(even, test, 3), 0.8, 1e-12);  // the lowest of equals
}

}  // namespace
}  // namespace mash
