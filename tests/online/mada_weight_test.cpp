// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/mada_weight.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>

namespace mash {
namespace {

TEST(MadaWeight, IsThatOfAdaBoostWhereTheMarginIsPositive) {
  for (const double margin : {0.001, 0.5, 2.0, 20.0})
    EXPECT_NEAR(mada_weight(margin), std::exp(-margin), 1e-15) << margin;
}

TEST(MadaWeight, IsTheFirstWeightElsewhere) {
  for (const double margin : {0.0, -0.001, -3.0, -1e300}) EXPECT_EQ(mada_weight(margin), 1) << margin;
}

RC_GTEST_PROP(MadaWeight, IsAProbabilityThatFallsWithTheMargin, (std::int32_t a, std::int32_t b)) {
  const double low = std::min(a, b) / 1e6, high = std::max(a, b) / 1e6;
  RC_ASSERT(mada_weight(high) >= 0 && mada_weight(low) <= 1);
  RC_ASSERT(mada_weight(high) <= mada_weight(low));
}

}  // namespace
}  // namespace mash
