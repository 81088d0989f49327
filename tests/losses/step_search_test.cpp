// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/step_search.hpp"

#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "classifiers/losses/logistic.hpp"
#include "classifiers/losses/savage.hpp"
#include "tests/losses/random_line.hpp"

namespace mash {
namespace {

using testing::point_at;
using testing::RandomLine;
using testing::start_of;

struct Found {
  double coefficient = 0;
  LinePoint point;
  int num_points = 0;
};

Found search(const Loss& loss, const RandomLine& line) {
  StepSearch search(start_of(loss, line));
  Found found;
  do {
    found.coefficient = search.coefficient();
    found.point = point_at(loss, line, found.coefficient);
    ++found.num_points;
  } while (!search.take(found.point));
  return found;
}

// All margins 0, a weighted error of a quarter.
TEST(StepSearch, BeginsAtTheEndWhereAllMarginsAreZero) {
  RandomLine line(4, 0, 1, 1);
  line.initial = {0.25, -0.25, -0.25, 0.25};
  line.votes = {1, -1, 1, 1};
  const Found logistic = search(logistic_loss(), line), savage = search(savage_loss(), line);
  EXPECT_NEAR(logistic.coefficient, std::log(3.0), 1e-14);
  EXPECT_NEAR(savage.coefficient, std::log(3.0) / 2, 1e-14);
  EXPECT_EQ(logistic.num_points, 1);
  EXPECT_EQ(savage.num_points, 1);
}

RC_GTEST_PROP(StepSearchProperty, FindsTheLogisticMinimum, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const double spread = *rc::gen::inRange(0, 80) / 10.0, right = *rc::gen::inRange(51, 100) / 100.0;
  const RandomLine line(200, spread, right, seed);
  const LineStart start = start_of(logistic_loss(), line);
  RC_PRE(start.slope < 0);
  const Found found = search(logistic_loss(), line);
  double low = 0, high = 10;
  while (high - low > 1e-9) {
    const double middle = (low + high) / 2;
    (point_at(logistic_loss(), line, middle).slope < 0 ? low : high) = middle;
  }
  RC_ASSERT(found.coefficient == 10 || std::abs(found.point.slope) <= -StepSearch::kTolerance * start.slope);
  RC_ASSERT(found.num_points <= 12);  // 11 at most on 400,000 lines, 2.4 on the average
  RC_ASSERT(found.point.loss <= point_at(logistic_loss(), line, low).loss * (1 + 1e-6));
}

RC_GTEST_PROP(StepSearchProperty, EndsWhereSavageLossStopsFalling, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const double spread = *rc::gen::inRange(0, 80) / 10.0, right = *rc::gen::inRange(51, 100) / 100.0;
  const RandomLine line(200, spread, right, seed);
  const LineStart start = start_of(savage_loss(), line);
  RC_PRE(start.slope < 0);
  const Found found = search(savage_loss(), line);
  RC_ASSERT(found.coefficient == 10 || std::abs(found.point.slope) <= -StepSearch::kTolerance * start.slope);
}

// Later rounds of a training: the coefficients are small, and one look is enough.
TEST(StepSearch, FindsSmallCoefficientsAtTheFirstPoint) {
  for (const Loss* loss : {&logistic_loss(), &savage_loss()}) {
    int num_at_once = 0, num_lines = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const RandomLine line(5000, 2, 0.52, seed);
      if (start_of(*loss, line).slope >= 0) continue;
      const Found found = search(*loss, line);
      ++num_lines;
      num_at_once += found.num_points == 1;
      EXPECT_LT(found.coefficient, 0.3);
      EXPECT_LE(found.num_points, 2);
    }
    EXPECT_GT(num_lines, 90);
    EXPECT_GE(num_at_once, num_lines * 9 / 10);
  }
}

TEST(StepSearch, LossThatKeepsFallingIsHeldAtTen) {
  const RandomLine line(50, 1, 1, 1);  // never wrong
  for (const Loss* loss : {&logistic_loss(), &savage_loss()}) EXPECT_EQ(search(*loss, line).coefficient, 10);
}

// Newton's steps alone are 47: this loss falls like exp(-4 alpha) for ever.
TEST(StepSearch, ALossThatFallsForEverIsLeftInLeaps) {
  const Found found = search(savage_loss(), RandomLine(200, 2.7, 0.99, 3208));
  EXPECT_EQ(found.coefficient, 10);
  EXPECT_LE(found.num_points, 25);
}

// As late in training, when all that is left is light.
TEST(StepSearch, SmallSlopesAreFollowedAllTheSame) {
  RandomLine line(4, 0, 1, 1);
  line.votes = {line.votes[0], line.votes[1], line.votes[2], -line.votes[3]};
  for (const double lightness : {1e-9, 1e-100, 1e-250}) {
    line.initial.clear();
    for (std::size_t i = 0; i < 4; ++i)
      line.initial.push_back((i == 3 ? -line.votes[i] : line.votes[i]) * lightness / 4);
    EXPECT_NEAR(search(logistic_loss(), line).coefficient, std::log(3.0), 1e-12) << lightness;
  }
}

TEST(StepSearch, ALineThatRisesIsNoneToSearch) {
  EXPECT_THROW(StepSearch(LineStart{1, 0, 1, 0, 0}), std::logic_error);
}

}  // namespace
}  // namespace mash
