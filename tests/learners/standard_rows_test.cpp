// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/standard_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "framework/base/random.hpp"
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
  // v = 2 z_3 - 3 z_0.
  RowSum sum = rows->empty_sum();
  rows->add(3, 2, sum);
  rows->add(0, -3, sum);
  const double v = 2 * z + 3 * 2.5 / rows->scales()[0];
  EXPECT_DOUBLE_EQ(rows->factor(0, sum), v / rows->scales()[0]);
  EXPECT_EQ(rows->factor(1, sum), 0);
  EXPECT_EQ(sum.steps, -1);
  EXPECT_DOUBLE_EQ(rows->product(3, sum, 3), v * z);
  EXPECT_EQ(rows->product(2, sum, 2), 0) << "of a missing value and a constant column";
}

// Sums of rows of codes and of values, by the definition.
TEST(StandardRows, SumsAreThoseOfStandardisedRows) {
  RandomStream stream(3, "standard rows");
  constexpr std::size_t kRows = 20, kColumns = 40;
  std::vector<float> values;
  std::vector<double> weights;
  for (std::size_t k = 0; k < kRows * kColumns; ++k) values.push_back(float(1000 + stream.normal()));
  for (std::size_t n = 0; n < kRows; ++n) weights.push_back(stream.uniform(0.5, 2));
  for (const FeatureNumber number : {FeatureNumber::kCode, FeatureNumber::kValue}) {
    const RowsOnTable rows(values, kColumns, weights, number);
    // The values are cut between all neighbours, so the code of a value is its place among those of its
    // column.
    const auto z = [&](std::size_t n, std::size_t i) {
      double x = values[n * kColumns + i];
      if (number == FeatureNumber::kCode) {
        double place = 0;
        for (std::size_t m = 0; m < kRows; ++m) place += values[m * kColumns + i] < x;
        x = place;
      }
      return (x - rows->means()[i]) / rows->scales()[i];
    };
    RowSum sum = rows->empty_sum();
    std::vector<double> v(kColumns);
    for (std::size_t n = 0; n < kRows; ++n) {
      const double step = stream.normal();
      rows->add(n, step, sum);
      for (std::size_t i = 0; i < kColumns; ++i) v[i] += step * z(n, i);
    }
    for (std::size_t i = 0; i < kColumns; ++i)
      EXPECT_NEAR(rows->factor(i, sum), v[i] / rows->scales()[i], 1e-6);
    for (std::size_t n = 0; n < kRows; ++n) {
      double product = 0;
      for (std::size_t i = 0; i < kColumns; ++i) product += v[i] * z(n, i);
      EXPECT_NEAR(rows->product(n, sum, n), product, 1e-4);
    }
  }
}

TEST(StandardRows, RowsOfWeightZeroSayNothingOfTheScale) {
  const RowsOnTable rows({-1, 1, 0, 200}, 1, {1, 1, 0, 0});
  EXPECT_EQ(rows->means()[0], 0);
  EXPECT_EQ(rows->scales()[0], 1);
  EXPECT_EQ(rows->square(3), 40000);
}

TEST(StandardRows, OfCodesAreBytes) {
  const RowsOnTable rows({10, 30, 20}, 1, {1, 1, 1}, FeatureNumber::kCode);
  EXPECT_EQ(rows->means()[0], 1);
  EXPECT_DOUBLE_EQ(rows->square(1), 1.5) << "the code 2, with the variance 2/3";
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
