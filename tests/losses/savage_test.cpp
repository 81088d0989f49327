// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/savage.hpp"

#include <cmath>

#include "tests/losses/one_margin.hpp"

namespace mash {
namespace {

TEST(Savage, WeightsOfTheExample) {
  for (const auto& [margin, weight] :
       {std::pair{-2.0, 0.069380}, {-0.5, 0.574939}, {0.0, 0.5}, {0.5, 0.211508}, {2.0, 0.001271}})
    EXPECT_NEAR(testing::weight_at(savage_loss(), margin), weight, 1e-6) << margin;
}

TEST(Savage, ExamplesThatAreWrongByFarLoseTheirWeight) {
  EXPECT_LT(testing::weight_at(savage_loss(), -10), 1e-7);
  EXPECT_LT(testing::weight_at(savage_loss(), 10), 1e-15);
  EXPECT_EQ(testing::value_at(savage_loss(), -1000), 4);
}

TEST(Savage, LossIsThatOfTheFormula) {
  for (const double margin : {-3.0, -0.7, 0.2, 1.9})
    EXPECT_NEAR(testing::value_at(savage_loss(), margin), 4 / std::pow(1 + std::exp(2 * margin), 2), 1e-14);
}

}  // namespace
}  // namespace mash
