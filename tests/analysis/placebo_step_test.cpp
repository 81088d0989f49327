// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/placebo_step.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mash {
namespace {

TEST(PlaceboStep, IsItsErrorInOneDigitAndNoneOfTheGainBeyondTwo) {
  struct Step {
    std::vector<double> gains;
    double standard_error, step;
  };
  for (const Step& step : {Step{{1, 1, -1, -1}, .5, .6},  // sd 1.155, of four seeds .577
                           {{.2, 0}, .5, .1},
                           {{3, -3, 3, -3, 3, -3, 3, -3}, .5, 2},  // 3.207 over the root of eight: 1.134
                           {{.5, .5}, .43, .05},                   // a tenth of the gain's error
                           {{}, .43, .05},
                           {{.5, .5}, 0, 0}})
    EXPECT_DOUBLE_EQ(placebo_step(step.gains, step.standard_error), step.step) << step.gains.size();
}

}  // namespace
}  // namespace mash
