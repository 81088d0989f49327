// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/working_response.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "classifiers/losses/logistic.hpp"

namespace mash {
namespace {

// At 0 both classes are as probable: z = (1 - 1/2) / (1/4) = 2. At ln 3 the own class has p = 3/4, so that
// z = 4/3 and w = 3/16; at -ln 3 it has p = 1/4, and z = 4, the largest there is.
TEST(WorkingResponse, ByHand) {
  const auto expect = [](double margin, double size, double weight) {
    EXPECT_NEAR(working_response(margin).size, size, 1e-14) << margin;
    EXPECT_NEAR(working_response(margin).weight, weight, 1e-14) << margin;
  };
  expect(0, 2, 0.25);
  expect(std::log(3.0), 4.0 / 3, 3.0 / 16);
  expect(-std::log(3.0), 4, 3.0 / 16);
  expect(-std::log(9.0), 4, 9.0 / 100);
  expect(40, 1, 1e-10);
  expect(-40, 4, 1e-10);
  expect(1e300, 1, 1e-10);
  expect(-1e300, 4, 1e-10);
}

// Where nothing is held, w z is the slope of the logistic loss and w its curvature: their quotient is a
// Newton step.
TEST(WorkingResponse, IsTheNewtonStepOfTheLogisticLoss) {
  for (double margin = -1; margin < 20; margin += 0.37) {
    double slope = margin, curvature = margin;
    logistic_loss().weights({&margin, 1}, {&slope, 1});
    logistic_loss().curvatures({&margin, 1}, {&curvature, 1});
    const WorkingResponse response = working_response(margin);
    EXPECT_NEAR(response.size * response.weight, slope, 1e-14 + 1e-12 * slope) << margin;
    EXPECT_NEAR(response.weight, curvature, 1e-15) << margin;
  }
}

}  // namespace
}  // namespace mash
