// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/line_sums.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "classifiers/losses/logistic.hpp"
#include "classifiers/losses/savage.hpp"
#include "framework/base/instruction_set.hpp"
#include "tests/losses/random_line.hpp"

namespace mash {
namespace {

using testing::RandomLine;

std::array<double, 5> numbers(const LineStart& start) {
  return {start.mass, start.slope, start.curvature, start.third, start.fourth};
}
std::array<double, 3> numbers(const LinePoint& point) { return {point.loss, point.mass, point.slope}; }

class LineSums : public ::testing::TestWithParam<LineFormula> {
 protected:
  const Loss& loss() const { return GetParam() == LineFormula::kLogistic ? logistic_loss() : savage_loss(); }
};

// Margins of all sizes, zeros with both signs, weights of 0.
RandomLine with_extremes(std::size_t size) {
  RandomLine line(size, 3, 0.6, size);
  const std::array<double, 10> extremes{0., -0., 1e300, -1e300, 700.5, -700.5, 36.8, -36.8, 1e-300, -1e-9};
  for (std::size_t i = 0; i < size; i += 3) line.scores[i] = extremes[i / 3 % extremes.size()];
  for (std::size_t i = 0; i < size; i += 7) line.initial[i] = i % 2 ? 0. : -0.;
  for (std::size_t i = 0; i < size; i += 5) line.votes[i] *= 0.25;
  return line;
}

// All numbers that come of a line: the point at 0.3, and the beginning of the line from 0.
struct AllNumbers {
  std::array<double, 5> start;
  std::array<double, 3> point;
  std::vector<double> weights, kept;

  bool operator==(const AllNumbers&) const = default;
};
AllNumbers all_numbers(LineFormula formula, const RandomLine& line) {
  AllNumbers all{{}, {}, std::vector<double>(line.scores.size()), {}};
  point_on_line(formula, line.pairs(), 0, all.weights);
  all.start = numbers(start_of_line(formula, line.pairs()));
  all.point = numbers(point_on_line(formula, line.pairs(), 0.3, all.weights));
  all.kept = line.kept;
  return all;
}

TEST_P(LineSums, HaveTheSameBitsOnEachInstructionSet) {
  for (const std::size_t size : {1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 100, 1000}) {
    const RandomLine line = with_extremes(size);
    ASSERT_TRUE(choose_instruction_set(instruction_sets().back()));
    const AllNumbers expected = all_numbers(GetParam(), line);
    for (const double number : expected.start) ASSERT_TRUE(std::isfinite(number));
    for (const double number : expected.point) ASSERT_TRUE(std::isfinite(number));
    for (const char* target : instruction_sets()) {
      ASSERT_TRUE(choose_instruction_set(target));
      EXPECT_EQ(all_numbers(GetParam(), line), expected) << target << " " << size;
    }
  }
  choose_instruction_set("");
}

TEST_P(LineSums, AreThoseOfTheLossItself) {
  const RandomLine line = with_extremes(500);
  const LineStart start = testing::start_of(loss(), line);
  const LineStart plain = loss().Loss::start_of_line(line.pairs());
  EXPECT_NEAR(start.mass, plain.mass, 1e-13);
  EXPECT_NEAR(start.slope, plain.slope, 1e-13);
  EXPECT_NEAR(start.curvature, plain.curvature, 1e-13);
  EXPECT_TRUE(std::isnan(plain.third));
  EXPECT_TRUE(std::isnan(plain.fourth));
  std::vector<double> weights(500), plain_weights(500);
  const LinePoint point = loss().point_on_line(line.pairs(), 0.3, weights);
  const LinePoint plain_point = loss().Loss::point_on_line(line.pairs(), 0.3, plain_weights);
  EXPECT_NEAR(point.loss / plain_point.loss, 1, 1e-13);
  EXPECT_NEAR(point.mass, plain_point.mass, 1e-13);
  EXPECT_NEAR(point.slope, plain_point.slope, 1e-13);
  for (std::size_t i = 0; i < weights.size(); ++i)
    EXPECT_NEAR(weights[i], plain_weights[i], 1e-15 + 1e-12 * std::abs(plain_weights[i])) << line.scores[i];
}

// Differences of the slope along the line.
TEST_P(LineSums, HaveTheDerivativesOfTheSlope) {
  const RandomLine line(300, 2, 0.6, 1);
  const LineStart start = testing::start_of(loss(), line);
  constexpr double kStep = 1e-2;
  const auto slope = [&](double steps) { return testing::point_at(loss(), line, steps * kStep).slope; };
  EXPECT_NEAR(slope(0), start.slope, 1e-15);
  EXPECT_NEAR((slope(1) - slope(-1)) / (2 * kStep), start.curvature, 1e-4);
  EXPECT_NEAR((slope(1) - 2 * slope(0) + slope(-1)) / (kStep * kStep), start.third, 1e-3);
  EXPECT_NEAR((slope(2) - 2 * slope(1) + 2 * slope(-1) - slope(-2)) / (2 * std::pow(kStep, 3)), start.fourth,
              1e-3);
}

// One pair of margin 0 at alpha = 0: p = 1/2.
TEST(LineSumsOfOnePair, AreThoseOfTheExample) {
  const double score = 0, initial = -1, vote = -1;  // another class, rightly denied
  double kept = 0, weight = 0;
  const LinePairs pair{{&score, 1}, {&initial, 1}, {&vote, 1}, {&kept, 1}};
  EXPECT_NEAR(point_on_line(LineFormula::kLogistic, pair, 0, {&weight, 1}).loss, 1, 1e-13);
  EXPECT_EQ(numbers(start_of_line(LineFormula::kLogistic, pair)),
            (std::array<double, 5>{0.5, -0.5, 0.25, 0, -0.125}));
  const LinePoint point = point_on_line(LineFormula::kLogistic, pair, std::log(3.0), {&weight, 1});
  EXPECT_NEAR(point.loss, std::log2(4.0 / 3), 1e-13);
  EXPECT_NEAR(weight, -0.25, 1e-15);
  EXPECT_NEAR(point.slope, -0.25, 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Formulas, LineSums, ::testing::Values(LineFormula::kLogistic, LineFormula::kSavage));

}  // namespace
}  // namespace mash
