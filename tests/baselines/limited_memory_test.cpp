// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/limited_memory.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {
namespace {

TEST(LimitedMemory, WithoutStepsTheDirectionIsTheSteepest) {
  EXPECT_EQ(LimitedMemory().direction(std::vector<double>{3, -4}), (std::vector<double>{-3, 4}));
}

// The function x^2 / 2 + 2 y^2, along each axis.
TEST(LimitedMemory, StepsTellTheCurvatureAlongThem) {
  LimitedMemory memory;
  memory.add({1, 0}, {1, 0});
  memory.add({0, 1}, {0, 4});
  const std::vector<double> found = memory.direction(std::vector<double>{5, 8});
  EXPECT_DOUBLE_EQ(found[0], -5);
  EXPECT_DOUBLE_EQ(found[1], -2);
}

TEST(LimitedMemory, AStepAlongWhichTheSlopeFallsIsNotKept) {
  LimitedMemory memory;
  memory.add({1, 0}, {-1, 0});
  EXPECT_TRUE(memory.is_empty());
}

TEST(LimitedMemory, ComesBackFromItsState) {
  LimitedMemory memory, other;
  memory.add({1, 2}, {2, 1});
  memory.add({-1, 0.5}, {-1, 0.25});
  other.add({7, 7}, {7, 7});
  StateWriter writer;
  memory.keep(writer);
  const std::vector<double> state = writer.take(), gradient{0.1, -3};
  StateReader reader(state);
  other.take_back(reader);
  reader.finish();
  EXPECT_EQ(other.direction(gradient), memory.direction(gradient));
}

// Nocedal & Wright's recursion is the product of the gradient and this matrix, made pair by pair:
// H = V^T H V + rho s s^T, V = I - rho y s^T, beginning at (s y / y y) I of the last pair.
RC_GTEST_PROP(LimitedMemoryProperty, DirectionsAreThoseOfTheMatrix, ()) {
  RandomStream stream(*rc::gen::arbitrary<std::uint64_t>(), "limited memory");
  const auto size = *rc::gen::inRange<std::size_t>(1, 40), count = *rc::gen::inRange<std::size_t>(1, 14);
  const auto drawn = [&] {
    std::vector<double> numbers(size);
    for (double& x : numbers) x = stream.normal();
    return numbers;
  };
  LimitedMemory memory;
  std::vector<std::pair<std::vector<double>, std::vector<double>>> pairs;
  for (std::size_t k = 0; k < count; ++k) {
    const std::vector<double> step = drawn();
    std::vector<double> change = drawn();
    for (std::size_t i = 0; i < size; ++i) change[i] = step[i] + 0.1 * change[i];
    if (dot(step, change) <= 0.1 * dot(change, change)) continue;
    memory.add(step, change);
    pairs.emplace_back(step, change);
    if (pairs.size() > LimitedMemory::kMostPairs) pairs.erase(pairs.begin());
  }
  RC_PRE(!pairs.empty());
  const auto& [last_step, last_change] = pairs.back();
  std::vector<std::vector<double>> matrix(size, std::vector<double>(size));
  for (std::size_t i = 0; i < size; ++i)
    matrix[i][i] = dot(last_step, last_change) / dot(last_change, last_change);
  for (const auto& [step, change] : pairs) {
    const double inverse = 1 / dot(step, change);
    std::vector<double> times(size);  // H y
    for (std::size_t i = 0; i < size; ++i) times[i] = dot(matrix[i], change);
    const double square = dot(times, change);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        matrix[i][j] += -inverse * (step[i] * times[j] + times[i] * step[j]) +
                        inverse * (inverse * square + 1) * step[i] * step[j];
  }
  const std::vector<double> gradient = drawn(), found = memory.direction(gradient);
  for (std::size_t i = 0; i < size; ++i)
    RC_ASSERT(std::abs(found[i] + dot(matrix[i], gradient)) <= 1e-8 * (1 + std::abs(found[i])));
}

RC_GTEST_PROP(LimitedMemoryProperty, DotIsTheSumOfProducts, (const std::vector<std::int16_t>& numbers)) {
  double sum = 0;
  std::vector<double> a, b;
  for (const std::int16_t x : numbers) {
    a.push_back(x);
    b.push_back(x - 3);
    sum += double(x) * (x - 3);
  }
  RC_ASSERT(dot(a, b) == sum);
}

}  // namespace
}  // namespace mash
