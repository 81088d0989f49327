// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/information.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {
namespace {

TEST(Information, OfAFeatureThatIsTheClass) {
  const std::vector<float> values{0, 1, 0, 1};
  const std::vector<std::uint16_t> labels{3, 1, 3, 1};
  const Information information = information_on_class(values, labels, 4);
  EXPECT_DOUBLE_EQ(information.nats, std::log(2) - 1. / 8);  // one degree of freedom, over 2 N
  EXPECT_DOUBLE_EQ(information.error, std::sqrt(2.) / 8);
}

TEST(Information, OfAConstantIsNone) {
  const std::vector<float> values(6, 2.5f);
  const std::vector<std::uint16_t> labels{0, 1, 2, 0, 1, 2};
  const Information information = information_on_class(values, labels, 3);
  EXPECT_EQ(information.nats, 0);
  EXPECT_EQ(information.error, 0);
}

TEST(Information, MissingValuesMayTellTheClass) {
  const float missing = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values{missing, 1, missing, 1};
  EXPECT_DOUBLE_EQ(information_on_class(values, std::vector<std::uint16_t>{0, 1, 0, 1}, 2).nats,
                   std::log(2) - 1. / 8);
}

TEST(Information, OfDrawnValuesIsNoneWithinItsError) {
  constexpr std::size_t kExamples = 1000;
  RandomStream random(1, "information", 0);
  std::vector<float> values(kExamples);
  std::vector<std::uint16_t> labels(kExamples);
  for (int i = 0; i < 20; ++i) {
    for (std::size_t n = 0; n < kExamples; ++n) {
      values[n] = float(random.uniform(0, 1));
      labels[n] = std::uint16_t(random.below(10));
    }
    const Information information = information_on_class(values, labels, 10);
    EXPECT_LT(std::abs(information.nats), 4 * information.error);
    EXPECT_LT(information.error, .02);
  }
}

}  // namespace
}  // namespace mash
