// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/cost_point.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace mash {
namespace {

using ::testing::ElementsAre;

// Whether something is at least as good in both ways and better in one.
bool is_beaten(const CostPoint& point, const std::vector<CostPoint>& points) {
  for (const CostPoint& other : points) {
    const bool is_cheaper =
        other
            .microseconds_per_image<point.microseconds_per_image, is_dearer = other.microseconds_per_image>
                point.microseconds_per_image,
               is_of_more_use = other.use > point.use, is_of_less_use = other.use < point.use;
    if ((is_cheaper && !is_of_less_use) || (is_of_more_use && !is_dearer)) return true;
  }
  return false;
}

RC_GTEST_PROP(CostFront, HasWhatNothingBeats, (const std::vector<std::pair<int, int>>& places)) {
  std::vector<CostPoint> points;
  // Few different values, so that many are equal; marked wrongly to begin with.
  for (const auto& [cost, use] : places)
    points.push_back({"", double(cost % 5), double(use % 5), false, points.size() % 2 == 0});
  mark_front(points);
  bool is_any = false;
  for (const CostPoint& point : points) {
    RC_ASSERT(point.is_on_front == !is_beaten(point, points));
    is_any |= point.is_on_front;
  }
  RC_ASSERT(is_any || points.empty());
}

TEST(CostFront, EqualPointsStandOnItTogether) {
  std::vector<CostPoint> points{{"a", 10, 0.5}, {"b", 10, 0.5}, {"c", 10, 0.4}, {"d", 5, 0.1}, {"e", 6, 0.1}};
  mark_front(points);
  std::vector<bool> marks;
  for (const CostPoint& point : points) marks.push_back(point.is_on_front);
  EXPECT_THAT(marks, ElementsAre(true, true, false, true, false));
}

TEST(CostFront, HasNoPointOfUnknownCost) {
  std::vector<CostPoint> points{{"a", std::numeric_limits<double>::quiet_NaN(), 0.9}, {"b", 10, 0.5}};
  mark_front(points);
  EXPECT_FALSE(points[0].is_on_front);
  EXPECT_TRUE(points[1].is_on_front);
}

TEST(CostInWords, SaysWhatIsUnknown) {
  EXPECT_EQ(cost_in_words(12.34), "12.3 µs per image");
  EXPECT_EQ(cost_in_words(std::numeric_limits<double>::quiet_NaN()), "unknown cost");
}

}  // namespace
}  // namespace mash
