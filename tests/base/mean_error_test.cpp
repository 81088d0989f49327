// SPDX-License-Identifier: Apache-2.0
#include "framework/base/mean_error.hpp"

#include <gmock/gmock.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "framework/base/statistics.hpp"

namespace mash {
namespace {

TEST(MeanError, StandardErrorWorkedByHand) {
  // Two seeds of 1,000 examples: the seeds' mean square is below what is left.
  const MeanError floored{{.2, 3, .5}, 2, 1000};
  EXPECT_NEAR(floored.standard_error(), std::sqrt((.5 + 3 - .5) / 2000), 1e-12);
  EXPECT_NEAR(MeanError({{2, .1, .5}, 2, 1000}).standard_error(), std::sqrt((2 + .5 - .5) / 2000), 1e-12);
  EXPECT_NEAR(MeanError({{2, 3, .5}, 2, 1000}).standard_error(), std::sqrt(4.5 / 2000), 1e-12);
}

TEST(MeanError, EachMeanSquareHasItsOwnT) {
  // t of 2, 4 and 8 degrees of freedom: 4.302653, 2.776445, 2.306004.
  const double expected = 4.302653 * 4.302653 * 2 + 2.776445 * 2.776445 * 3 - 2.306004 * 2.306004 * .5;
  EXPECT_NEAR(MeanError({{2, 3, .5}, 3, 5}).reach(), std::sqrt(expected / 15), 1e-5);
  // The rest has more degrees of freedom, so that it stands for the seeds only where it is larger still.
  const double left = 2.306004 * 2.306004 * .5;
  EXPECT_NEAR(MeanError({{.1, .1, .5}, 3, 5}).reach(), std::sqrt(left / 15), 1e-5);
}

TEST(MeanError, OfSeedsAloneIsStudentsT) {
  const MeanError error = error_over_seeds(2, 5);
  EXPECT_NEAR(error.standard_error(), 2 / std::sqrt(5), 1e-12);
  EXPECT_NEAR(error.reach(), *estimate(0, 2, 5).half_width, 1e-9);
  EXPECT_NEAR(*error.p_value(1.7), student_p_value(1.7 / error.standard_error(), 4), 1e-10);
  EXPECT_NEAR(*error_over_examples(2, 5).p_value(-1.7), *error.p_value(1.7), 1e-12);
}

TEST(MeanError, DegreesInTheTailGiveItsReach) {
  for (const MeanError& error : {MeanError{{2, 3, .5}, 4, 100}, MeanError{{9, 1, 0}, 4, 100},
                                 MeanError{{.1, 1, 0}, 16, 1000}, error_over_seeds(2, 5)}) {
    const double t = boost::math::quantile(
        boost::math::complement(boost::math::students_t(error.tail_degrees()), kTestTail));
    EXPECT_NEAR(t * error.standard_error() / error.reach(2 * kTestTail), 1, 1e-3);
  }
  EXPECT_NEAR(error_over_seeds(2, 5).tail_degrees(), 4, 1e-3) << "Student's t";
  EXPECT_EQ(error_over_seeds(0, 5).tail_degrees(), 1);
}

TEST(MeanError, PIsTheMissAtWhichTheIntervalEndsAtZero) {
  const MeanError error{{2, 3, .5}, 3, 50};
  for (const double mean : {1e-6, .1, .5, -2., 40., 1e6}) {
    const double p_value = *error.p_value(mean);
    EXPECT_NEAR(error.reach(p_value) / std::abs(mean), 1, 1e-6) << mean;
    EXPECT_GT(error.reach(p_value * .99), std::abs(mean));
  }
  EXPECT_EQ(error.p_value(0), 1);
}

TEST(MeanError, EqualValuesSayNothingOfTheSpread) {
  EXPECT_EQ(error_over_seeds(0, 3).p_value(.5), std::nullopt);
  EXPECT_EQ(error_over_seeds(0, 3).p_value(0), 1);
}

TEST(MeanError, MoreSeedsLeaveTheExamplesShare) {
  const MeanError error{{9, 5, 1}, 4, 100};
  const MeanError many = error.with_seeds(4000);
  EXPECT_NEAR(many.squares.examples, 1 + 4 * 1000, 1e-9);
  EXPECT_NEAR(many.standard_error(), std::sqrt(4. / 400), 2e-4)
      << "(5 - 1) / (4 x 100) is the examples' part";
  EXPECT_EQ(error.with_seeds(4), error);
}

TEST(SeedsToReach, IsTheFirstNumberThatReachesNoFarther) {
  const MeanError error{{9, 5, 1}, 4, 100};
  for (const double distance : {.9, .5, .25}) {
    const std::size_t found = seeds_to_reach(distance, error);
    ASSERT_GE(found, 3u);
    EXPECT_LE(error.with_seeds(found).reach(), distance);
    EXPECT_GT(error.with_seeds(found - 1).reach(), distance);
  }
  EXPECT_EQ(seeds_to_reach(.19, error), 0u) << "1.98 x .1 is the examples' alone";
  EXPECT_EQ(seeds_to_reach(1e9, error), 2u) << "of one seed nothing is known";
}

}  // namespace
}  // namespace mash
