// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/answers/nearest_right.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace mash {
namespace {

using ::testing::Eq;
using ::testing::Optional;

// Scores of two classes: 0 and 3 are right, 1 and 2 are wrong, 4 is of a class that the model does not have.
const std::vector<double> kScores{2, 0, 1, 0, 0, 3, 0, 1, 5, 5};
const std::vector<std::uint16_t> kLabels{0, 1, 0, 1, 2};

TEST(RightExamples, TheNearestIsFoundByItsScores) {
  const RightExamples right(kScores, 2, kLabels);
  EXPECT_THAT(right.nearest(1, 0), Optional(Eq(0u)));
  EXPECT_THAT(right.nearest(1, 1), Optional(Eq(3u)));
  EXPECT_THAT(right.nearest(4, 0), Optional(Eq(0u)));
}

TEST(RightExamples, NoneIsLikeItselfAndAmongEqualsTheFirstIs) {
  const std::vector<double> scores{2, 0, 2, 0, 2, 0};
  const std::vector<std::uint16_t> labels{0, 0, 0};
  const RightExamples right(scores, 2, labels);
  EXPECT_THAT(right.nearest(0, 0), Optional(Eq(1u)));
  EXPECT_THAT(right.nearest(2, 0), Optional(Eq(0u)));
  EXPECT_EQ(right.nearest(0, 1), std::nullopt) << "none of this class is right";
  EXPECT_EQ(right.nearest(0, 7), std::nullopt) << "a class that the model does not have";
}

}  // namespace
}  // namespace mash
