// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/regression_criterion.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "classifiers/losses/working_response.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr float kMissingValue = std::numeric_limits<float>::quiet_NaN();

// (w, z) = (1, 2), (2, -1) and (1, -3) in the codes 0, 1 and 2. The constant is -3/4, which explains 4 x
// 9/16. Above the first cut are (2 x -1 - 3) / 3 = -5/3, so that 4 + 25/3 = 37/3 are explained; around the
// second one 0 and -3, which explain 9.
struct ByHand {
  std::vector<double> rows{2, 1, -2, 2, -3, 1};
  CodeSums sums() const { return {rows, 3, 2}; }
};

TEST(RegressionCriterion, ByHand) {
  const ByHand example;
  const DoubleCut best = regression_criterion().best_cut(example.sums());
  EXPECT_EQ(best.cut, 1u);
  EXPECT_NEAR(best.edge, std::sqrt(37.0 / 3 / 4) / 4, 1e-15);
  const CutVotes first = regression_criterion().votes(example.sums(), 1);
  EXPECT_NEAR(first.edge, best.edge, 1e-15);
  EXPECT_EQ(first.cells[0], 2);
  EXPECT_NEAR(first.cells[1], -5.0 / 3, 1e-15);
  const CutVotes second = regression_criterion().votes(example.sums(), 2);
  EXPECT_NEAR(second.edge, std::sqrt(9.0 / 4) / 4, 1e-15);
  EXPECT_EQ(second.cells, (std::vector<double>{0, -3}));
}

TEST(RegressionCriterion, TheConstantIsAStump) {
  const CutVotes constant = regression_criterion().votes(ByHand().sums(), 0);
  EXPECT_EQ(constant.cells, (std::vector<double>{0.75, -0.75}));
  EXPECT_NEAR(constant.edge, 0.75 / 4, 1e-15);
}

TEST(RegressionCriterion, WhereNothingWeighsThereIsNoVote) {
  const std::vector<double> rows{0, 0, -1, 1, 0, 0};
  const CodeSums sums{rows, 3, 2};
  EXPECT_EQ(regression_criterion().best_cut(sums).cut, 0u) << "no cut explains more than the constant";
  EXPECT_EQ(regression_criterion().votes(sums, 1).cells, (std::vector<double>{0, -1}));
  const std::vector<double> nothing(6);
  EXPECT_EQ(regression_criterion().best_cut({nothing, 3, 2}).edge, 0);
  EXPECT_EQ(regression_criterion().votes({nothing, 3, 2}, 2).cells, (std::vector<double>{0, 0}));
}

// The rest of the sums above the last cut is rounding, which must not look like a large response.
TEST(RegressionCriterion, RoundingIsNoResponse) {
  std::vector<double> rows;
  for (int i = 1; i <= 200; ++i) {
    rows.push_back((i % 2 ? 1 : -1) / (3.0 * i));
    rows.push_back(1 / (3.0 * i));
  }
  rows.push_back(4e-18);
  rows.push_back(1e-18);
  const CodeSums sums{rows, 201, 2};
  const DoubleCut best = regression_criterion().best_cut(sums);
  EXPECT_NE(best.cut, 200u);
  EXPECT_LE(best.edge, 0.25 + 1e-12) << "all but one are 1 in size";
}

// sum of w (z - vote)^2 over both sides, of rows (w z, w).
double squared_error(const std::vector<float>& values, const std::vector<double>& rows, float threshold) {
  double error = 0;
  for (const bool above : {false, true}) {
    double responses = 0, weights = 0;
    const auto is_here = [&](std::size_t n) { return (values[n] >= threshold) == above; };
    for (std::size_t n = 0; n < values.size(); ++n)
      if (is_here(n)) {
        responses += rows[2 * n];
        weights += rows[2 * n + 1];
      }
    if (weights == 0) continue;
    for (std::size_t n = 0; n < values.size(); ++n)
      if (is_here(n) && rows[2 * n + 1] > 0)
        error += rows[2 * n + 1] * std::pow(rows[2 * n] / rows[2 * n + 1] - responses / weights, 2);
  }
  return error;
}

RC_GTEST_PROP(RegressionCriterion, LeavesTheSmallestSquaredError, (std::uint64_t seed)) {
  RandomStream stream(seed, "test.regression");
  const std::size_t num_values = 1 + stream.below(30);
  std::vector<float> values;
  std::vector<double> rows;
  double squares = 0, weights = 0;
  for (std::size_t n = 0; n < num_values; ++n) {
    values.push_back(stream.below(8) == 0 ? kMissingValue : float(stream.below(7)));
    const double weight = stream.below(6) == 0 ? 0 : stream.uniform(), z = stream.uniform(-4, 4);
    rows.push_back(weight * z);
    rows.push_back(weight);
    squares += weight * z * z;
    weights += weight;
  }
  double least = squared_error(values, rows, kConstant);
  for (const float threshold : values)
    if (!std::isnan(threshold)) least = std::min(least, squared_error(values, rows, threshold));
  const DoubleCut best =
      regression_criterion().best_cut_of_values(sort_column(values), rows, sum_of_rows(rows, 2));
  const float threshold = best.threshold;
  // A constant takes those without a value too; a cut puts them below.
  if (threshold != kConstant) RC_ASSERT(squared_error(values, rows, threshold) <= least + 1e-9);
  // The part that is not left is explained.
  const double explained = std::pow(best.edge * kMostResponse, 2) * weights;
  RC_ASSERT(explained >= squares - least - 1e-9);
  RC_ASSERT(explained <= squares + 1e-9);
  RC_ASSERT(best.edge <= 1 + 1e-12);
}

}  // namespace
}  // namespace mash
