// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/gain_parts.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "framework/analysis/paired_losses.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

// Three groups of 40, 50 and 60 examples; the second alone gains.
struct Example {
  Example() : whole(150), grouped(150, groups_by_class(group_of(), 4)) {
    RandomStream stream(1, "test.parts");
    for (int seed = 0; seed < 10; ++seed) {
      std::vector<double> before, after;
      for (std::size_t n = 0; n < 150; ++n) {
        before.push_back(1 + .1 * stream.normal());
        after.push_back(before.back() - (group_of()[n] == 1 ? .3 : 0) + .05 * stream.normal());
      }
      whole.add(before, after);
      grouped.add(loss_differences(before, after));
    }
  }
  static std::vector<std::uint16_t> group_of() {
    std::vector<std::uint16_t> groups(150, 2);
    std::fill_n(groups.begin(), 40, std::uint16_t(0));
    std::fill_n(groups.begin() + 40, 50, std::uint16_t(1));
    return groups;
  }
  std::vector<GainPart> parts() const { return grouped.parts(whole.gain_factor()); }

  PairedLosses whole;
  GroupedGains grouped;
};

TEST(GroupedGains, PartsAddUpToTheWhole) {
  const Example example;
  double sum = 0;
  for (const GainPart& part : example.parts()) sum += part.gain;
  EXPECT_NEAR(sum, example.whole.gain(), 1e-9);
}

TEST(GroupedGains, TellWhichGroupGains) {
  const Example example;
  const auto parts = example.parts();
  ASSERT_EQ(parts.size(), 3u) << "the fourth group has no example";
  EXPECT_EQ(parts[1].num_examples, 50u);
  EXPECT_NEAR(parts[1].gain, 100 * -std::log(1 - .3 / 3), 5 * parts[1].standard_error());
  EXPECT_LT(parts[1].p_corrected, 1e-4);
  for (const std::size_t other : {0u, 2u}) {
    EXPECT_NEAR(parts[other].gain, 0, 4 * parts[other].standard_error());
    EXPECT_GT(parts[other].p_corrected, .01);
  }
}

TEST(GroupedGains, GroupsMayOverlapAndAreCorrectedTogether) {
  GroupedGains gains(4, {{0, 1}, {0, 1, 2, 3}, {3}});
  gains.add(std::vector<double>{1, 2, 3, 4});
  gains.add(std::vector<double>{2, 1, 3, 5});
  const auto parts = gains.parts(1);
  ASSERT_EQ(parts.size(), 2u) << "one example has no error";
  EXPECT_EQ(parts[0].gain, 1.5 * 2 / 4);
  EXPECT_EQ(parts[1].gain, 21. / 8);
  // 1 2 and 2 1: both seeds say the same, and so do both examples; what is left is not 0.
  EXPECT_NEAR(parts[0].standard_error(), 2. / 4 * std::sqrt(1. / 4), 1e-12);
  PairedDifferences all(4);
  all.add(std::vector<double>{1, 2, 3, 4});
  all.add(std::vector<double>{2, 1, 3, 5});
  EXPECT_NEAR(parts[1].p_corrected, 2 * part_of(all, 1, 4, 1).p_corrected, 1e-12) << "the smaller of two";
}

TEST(GroupedGains, AFactorScalesGainsAndErrors) {
  GroupedGains gains(2, {{0, 1}});
  gains.add(std::vector<double>{1, 2});
  gains.add(std::vector<double>{2, 5});
  const GainPart one = gains.parts(1)[0], three = gains.parts(3)[0];
  EXPECT_NEAR(three.gain, 3 * one.gain, 1e-12);
  EXPECT_NEAR(three.standard_error(), 3 * one.standard_error(), 1e-12);
  EXPECT_NEAR(three.p_corrected, one.p_corrected, 1e-9);
}

TEST(GroupedGains, IntervalsAgreeWithTheCorrectedP) {
  const Example example;
  for (const GainPart& part : example.parts())
    EXPECT_EQ(std::abs(part.gain) > part.half_width, part.p_corrected < kCertain);
  // A p of .04 is .12 among three: the interval around the gain holds 0.
  std::vector<GainPart> parts(3);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].error = error_over_seeds(1, 4);
    parts[i].gain = 1.74;
    parts[i].p_corrected = *parts[i].error.p_value(parts[i].gain);
  }
  EXPECT_LT(parts[0].p_corrected, kCertain);
  correct_together(parts);
  EXPECT_GT(parts[0].p_corrected, .1);
  EXPECT_GT(parts[0].half_width, parts[0].gain);
}

TEST(GroupedGains, EqualValuesAreNoCertainty) {
  GroupedGains gains(2, {{0, 1}});
  for (int seed = 0; seed < 2; ++seed) gains.add(std::vector<double>{1, 1});
  EXPECT_EQ(gains.parts(1)[0].p_corrected, 1);
}

}  // namespace
}  // namespace mash
