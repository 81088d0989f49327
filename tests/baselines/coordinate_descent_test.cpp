// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/coordinate_descent.hpp"

#include <rapidcheck/gtest.h>

#include "tests/learners/rows_on_table.hpp"

namespace mash {
namespace {

using testing::RowsOnTable;

constexpr DescentLimits kExact{1e-10, 100'000};

// A whole search. Returns whether it converged.
bool solve(CoordinateDescent& machine, double cost, const DescentLimits& limits,
           std::uint64_t order_key = 1) {
  machine.begin(cost, limits, order_key);
  while (!machine.has_ended()) machine.pass();
  return machine.has_converged();
}

// The points 0 and 2, of the classes -1 and 1. The other two rows give the column the mean 0 and the scale 1.
TEST(CoordinateDescent, OfTwoPointsByHand) {
  const RowsOnTable rows({-1, 1, 0, 2}, 1, {1, 1, 0, 0});
  const std::vector<double> squares = rows.squares(), weights{0, 0, 1, 1};
  CoordinateDescent machine(*rows, squares, {1, 1, -1, 1}, weights, HingeLoss::kHinge);
  ASSERT_TRUE(solve(machine, 1000, kExact, 1));
  EXPECT_NEAR(machine.factor(0), 1, 1e-8);
  EXPECT_NEAR(machine.bias(), -1, 1e-8);
  EXPECT_NEAR(machine.dual()[0], 1.5, 1e-8);
  EXPECT_NEAR(machine.dual()[1], 0.5, 1e-8);
}

struct Objectives {
  double primal, dual;
};

// By the definitions, in doubles.
Objectives objectives(const StandardRows& rows, const CoordinateDescent& machine,
                      std::span<const std::int8_t> targets, std::span<const double> weights, double cost,
                      HingeLoss loss) {
  double square = machine.bias() * machine.bias(), losses = 0, sum = 0;
  for (std::size_t i = 0; i < rows.num_columns(); ++i) {
    const double v = machine.factor(i) * rows.scales()[i];
    square += v * v;
  }
  for (std::size_t n = 0, k = 0; n < weights.size(); ++n) {
    if (weights[n] == 0) continue;
    const double short_by = std::max(0.0, 1 - targets[n] * machine.score(n));
    losses += cost * weights[n] * (loss == HingeLoss::kHinge ? short_by : short_by * short_by);
    const double a = machine.dual()[k++];
    sum += a - (loss == HingeLoss::kHinge ? 0 : a * a / (4 * cost * weights[n]));
  }
  return {square / 2 + losses, sum - square / 2};
}

RC_GTEST_PROP(CoordinateDescentProperty, TheGapBetweenPrimalAndDualCloses, ()) {
  RandomStream stream(*rc::gen::arbitrary<std::uint64_t>(), "coordinate descent");
  const auto num_rows = *rc::gen::inRange<std::size_t>(4, 40),
             num_columns = *rc::gen::inRange<std::size_t>(1, 6);
  const auto loss = *rc::gen::element(HingeLoss::kHinge, HingeLoss::kSquaredHinge);
  std::vector<float> values;
  std::vector<double> weights;
  std::vector<std::int8_t> targets;
  for (std::size_t k = 0; k < num_rows * num_columns; ++k) values.push_back(float(stream.normal()));
  for (std::size_t n = 0; n < num_rows; ++n) {
    weights.push_back(n > 1 && stream.below(5) == 0 ? 0 : stream.uniform(0.1, 3));
    targets.push_back(stream.below(2) ? 1 : -1);
  }
  const RowsOnTable rows(values, num_columns, weights);
  const std::vector<double> squares = rows.squares();
  CoordinateDescent machine(*rows, squares, targets, weights, loss);
  for (const double cost : {0.01, 0.1, 1.0}) {  // one after the other, from where the last one ended
    RC_ASSERT(solve(machine, cost, {1e-7, 1'000'000}, 1));
    const Objectives found = objectives(*rows, machine, targets, weights, cost, loss);
    RC_ASSERT(found.primal >= found.dual - 1e-9);
    RC_ASSERT(found.primal - found.dual <= 1e-5 * found.primal);
  }
}

// Two machines on the same rows, of which one began at a smaller C.
TEST(CoordinateDescent, EndsAtTheSameSolutionWhereverItBegins) {
  RandomStream stream(1, "coordinate descent");
  std::vector<float> values;
  std::vector<std::int8_t> targets;
  for (std::size_t k = 0; k < 90; ++k) values.push_back(float(stream.normal()));
  for (std::size_t n = 0; n < 30; ++n) targets.push_back(values[3 * n] + stream.normal() > 0 ? 1 : -1);
  const std::vector<double> weights(30, 1.0);
  const RowsOnTable rows(values, 3, weights);
  const std::vector<double> squares = rows.squares();
  for (const HingeLoss loss : {HingeLoss::kHinge, HingeLoss::kSquaredHinge}) {
    CoordinateDescent at_once(*rows, squares, targets, weights, loss),
        in_steps(*rows, squares, targets, weights, loss);
    ASSERT_TRUE(solve(at_once, 0.5, kExact, 1));
    for (const double cost : {0.01, 0.5}) ASSERT_TRUE(solve(in_steps, cost, kExact, 2));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(in_steps.factor(i), at_once.factor(i), 1e-7);
    EXPECT_NEAR(in_steps.bias(), at_once.bias(), 1e-7);
  }
}

// Examples that get a weight later than the others.
TEST(CoordinateDescent, GoesOnWithMoreExamples) {
  RandomStream stream(2, "coordinate descent");
  std::vector<float> values;
  std::vector<std::int8_t> targets;
  std::vector<double> some;
  for (std::size_t k = 0; k < 60; ++k) values.push_back(float(stream.normal()));
  for (std::size_t n = 0; n < 30; ++n) {
    targets.push_back(values[2 * n] + stream.normal() > 0 ? 1 : -1);
    some.push_back(n % 3 == 1 ? 0 : 1);
  }
  const std::vector<double> all(30, 1.0);
  const RowsOnTable rows(values, 2, all);
  const std::vector<double> squares = rows.squares();
  for (const HingeLoss loss : {HingeLoss::kHinge, HingeLoss::kSquaredHinge}) {
    CoordinateDescent at_once(*rows, squares, targets, all, loss), later(*rows, squares, targets, some, loss);
    ASSERT_TRUE(solve(at_once, 0.5, kExact, 1));
    ASSERT_TRUE(solve(later, 0.5, kExact, 1));
    EXPECT_EQ(later.dual().size(), 20u);
    later.weigh_more(all);
    ASSERT_EQ(later.dual().size(), 30u);
    EXPECT_EQ(later.dual()[1], 0);
    ASSERT_TRUE(solve(later, 0.5, kExact, 2));
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(later.factor(i), at_once.factor(i), 1e-7);
    EXPECT_NEAR(later.bias(), at_once.bias(), 1e-7);
  }
}

TEST(CoordinateDescent, SaysWhereItDidNotEnd) {
  const RowsOnTable rows({-1, 1, 0, 2}, 1, {1, 1, 1, 1});
  const std::vector<double> squares = rows.squares(), weights(4, 1.0);
  CoordinateDescent machine(*rows, squares, {1, -1, 1, -1}, weights, HingeLoss::kHinge);
  EXPECT_FALSE(solve(machine, 1, {1e-10, 1}));
  EXPECT_TRUE(machine.has_ended());
}

// Another machine takes it up after each pass.
TEST(CoordinateDescent, GoesOnWithTheSameBits) {
  RandomStream stream(4, "coordinate descent");
  std::vector<float> values;
  std::vector<std::int8_t> targets;
  std::vector<double> weights;
  for (std::size_t k = 0; k < 120; ++k) values.push_back(float(stream.normal()));
  for (std::size_t n = 0; n < 40; ++n) {
    targets.push_back(values[3 * n] + stream.normal() > 0 ? 1 : -1);
    weights.push_back(double(n % 4));
  }
  const RowsOnTable rows(values, 3, weights);
  const std::vector<double> squares = rows.squares();
  for (const HingeLoss loss : {HingeLoss::kHinge, HingeLoss::kSquaredHinge}) {
    CoordinateDescent whole(*rows, squares, targets, weights, loss);
    ASSERT_TRUE(solve(whole, 0.5, kExact));
    std::vector<double> state;
    bool has_ended = false;
    std::size_t num_passes = 0;
    while (!has_ended) {
      CoordinateDescent part(*rows, squares, targets, weights, loss);
      part.begin(0.5, kExact, 1);
      if (!state.empty()) {
        StateReader reader(state);
        part.take_back(reader);
        reader.finish();
      }
      part.pass();
      ++num_passes;
      has_ended = part.has_ended();
      StateWriter writer;
      part.keep(writer);
      state = writer.take();
      if (has_ended) {
        EXPECT_EQ(part.dual(), whole.dual());
        EXPECT_EQ(part.bias(), whole.bias());
        for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(part.factor(i), whole.factor(i));
      }
    }
    EXPECT_GT(num_passes, 10u);
  }
}

}  // namespace
}  // namespace mash
