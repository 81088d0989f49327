// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/standard_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/learners/rows_on_table.hpp"

namespace mash {
namespace {

using testing::RowsOnTable;

// The first column has 0, 2, nothing and 4 with the weights 1, 1, 5 and 2: the mean is 10/4.
TEST(StandardRows, HaveMeansAndScalesByWeight) {
  constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
  const RowsOnTable rows({0, 7, 2, 7, kMissing, 7, 4, 7}, 2, {1, 1, 5, 2});
  EXPECT_EQ(rows->num_rows(), 4u);
  EXPECT_EQ(rows->means()[0], 2.5);
  EXPECT_DOUBLE_EQ(rows->scales()[0], std::sqrt((6.25 + 0.25 + 2 * 2.25) / 9));
  EXPECT_FALSE(rows->is_constant(0));
  EXPECT_TRUE(rows->is_constant(1));
  EXPECT_EQ(rows->square(2), 0);
  const double z = 1.5 / rows->scales()[0];
  EXPECT_DOUBLE_EQ(rows->square(3), z * z);
  // f(z) = 3 z of the first column.
  std::vector<double> factors{3 / rows->scales()[0], 0};
  EXPECT_DOUBLE_EQ(rows->product(3, factors), 3 * z);
  rows->add(3, 2, factors);
  EXPECT_DOUBLE_EQ(factors[0], (3 + 2 * z) / rows->scales()[0]);
  EXPECT_EQ(factors[1], 0);
}

TEST(StandardRows, RowsOfWeightZeroSayNothingOfTheScale) {
  const RowsOnTable rows({-1, 1, 0, 200}, 1, {1, 1, 0, 0});
  EXPECT_EQ(rows->means()[0], 0);
  EXPECT_EQ(rows->scales()[0], 1);
  EXPECT_EQ(rows->square(3), 40000);
}

TEST(StandardRows, OfCodesAreBytes) {
  const RowsOnTable rows({10, 30, 20}, 1, {1, 1, 1}, FeatureNumber::kCode);
  ASSERT_NE(rows->row(0).codes, nullptr);
  EXPECT_EQ(rows->row(0).codes[0], 0);
  EXPECT_EQ(rows->row(1).codes[0], 2);
  EXPECT_EQ(rows->means()[0], 1);
}

TEST(StandardRows, StopWhenTheyAreStopped) {
  testing::World world(testing::learnable_table(100, 5, 3, 1), 1, true);
  world.stop.raise();
  const auto rows =
      StandardRows::read(FeatureMatrix(world.features(), Side::kTrain, {0, 1}, FeatureNumber::kCode),
                         std::vector<double>(100, 1.0), world.work);
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.error().kind, ErrorKind::kStopped);
}

}  // namespace
}  // namespace mash
