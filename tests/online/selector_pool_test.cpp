// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/selector_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "framework/base/instruction_set.hpp"
#include "tests/online/plain_pool.hpp"

namespace mash {
namespace {

using testing::SideMeans;

TEST(SideMeans, WorkedNumbers) {
  SideMeans sides;
  EXPECT_EQ(sides.mean(true), 0);
  sides.add(true, 1, 2);
  EXPECT_EQ(sides.mean(true), 1);
  EXPECT_EQ(sides.mean(false), 0);
  sides.add(false, -1, 1);
  sides.add(true, -1, 1);  // above: 2 * 0.99^2 of +, 1 of -
  EXPECT_NEAR(sides.mean(true), (1.9602 - 1) / 2.9602, 1e-12);
  EXPECT_EQ(sides.mean(false), -1);
}

TEST(SideMeans, StayWithinOneWhateverTheWeights) {
  SideMeans one_sign, both;
  RandomStream stream(1, "test.sides");
  for (int i = 0; i < 5000; ++i) {
    const double weight = stream.uniform(0, 1e100);
    one_sign.add(true, 1, weight);
    both.add(stream.uniform() < 0.5, stream.uniform() < 0.9 ? 1 : -1, weight);
    ASSERT_EQ(one_sign.mean(true), 1);
    ASSERT_LE(std::abs(both.mean(true)), 1);
    ASSERT_LE(std::abs(both.mean(false)), 1);
  }
}

// A value of one of few sizes, so that there are ties and equal means; sometimes none.
float value_of(RandomStream& stream) {
  const auto kind = stream.below(20);
  if (kind == 0) return std::numeric_limits<float>::quiet_NaN();
  if (kind == 1) return std::numeric_limits<float>::infinity() * (stream.below(2) == 0 ? 1.f : -1.f);
  return kind < 12 ? float(stream.below(4)) : float(stream.normal());
}

std::vector<std::uint64_t> bits_of(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
  return bits;
}

struct PoolCase {
  std::uint32_t pool_size;
  bool shares_pool;
  SelectorPool::Keeps keeps;
};

// Both see the same examples, with weights that the selectors do not share; some end before the last
// selector.
void expect_same_pool(const PoolCase& of, std::uint64_t seed) {
  const SelectorSettings settings{4, of.pool_size, of.shares_pool};
  SelectorPool pool(settings, seed, 7, of.keeps);
  testing::PlainPool plain(settings, seed, 7, of.keeps);
  RandomStream stream(seed, "test.pool");
  for (int example = 0; example < 60; ++example) {
    const auto features = plain.features();
    ASSERT_EQ(std::vector(pool.features().begin(), pool.features().end()), features);
    std::vector<float> by_feature(7), values;
    for (float& value : by_feature) value = value_of(stream);
    for (const std::uint32_t feature : features) values.push_back(by_feature[feature]);
    const int sign = stream.uniform() < 0.3 ? 1 : -1;
    const double weight = stream.uniform();
    pool.begin_example(values, sign, weight);
    plain.begin_example(values, sign, weight);
    const auto num_reached = std::uint32_t(1 + stream.below(4));
    for (std::uint32_t selector = 0; selector < num_reached; ++selector) {
      const double own_weight = stream.below(10) == 0 ? 0 : std::exp(20 * stream.normal());
      pool.choose(selector, own_weight);
      plain.choose(selector, own_weight);
      ASSERT_EQ(pool.stump(selector), plain.stump(selector));
      if (of.keeps == SelectorPool::Keeps::kErrors) continue;
      ASSERT_EQ(pool.mean(selector, false), plain.mean(selector, false));
      ASSERT_EQ(pool.mean(selector, true), plain.mean(selector, true));
    }
    pool.end_example();
    plain.end_example();
    ASSERT_EQ(bits_of(pool.state()), bits_of(plain.state())) << "example " << example;
  }
}

// Calls body for each instruction set.
template <class Body>
void on_each_instruction_set(const Body& body) {
  for (const char* target : instruction_sets()) {
    ASSERT_TRUE(choose_instruction_set(target));
    SCOPED_TRACE(target);
    body();
  }
  choose_instruction_set("");
}

void expect_same_pools() {
  for (std::uint32_t pool_size = 1; pool_size <= 2 * kStumpBlock + 1; ++pool_size)
    for (const bool shares_pool : {false, true})
      for (const auto keeps : {SelectorPool::Keeps::kErrors, SelectorPool::Keeps::kErrorsAndAnswers})
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
          SCOPED_TRACE(::testing::Message() << pool_size << " stumps, shared " << shares_pool);
          expect_same_pool({pool_size, shares_pool, keeps}, seed);
          if (::testing::Test::HasFatalFailure()) return;
        }
}

TEST(SelectorPool, LearnsAsOneStumpAfterTheOther) { on_each_instruction_set(expect_same_pools); }

void expect_first_of_equals() {
  RandomStream stream(1, "test.extremes");
  for (const std::size_t size : {kStumpBlock, 2 * kStumpBlock, 7 * kStumpBlock})
    for (int trial = 0; trial < 200; ++trial) {
      StumpColumn<double> numbers(size);
      for (double& number : numbers) number = double(stream.below(10)) - 5;
      EXPECT_EQ(place_of_smallest(numbers),
                std::size_t(std::min_element(numbers.begin(), numbers.end()) - numbers.begin()));
      EXPECT_EQ(place_of_largest(numbers),
                std::size_t(std::max_element(numbers.begin(), numbers.end()) - numbers.begin()));
    }
}

TEST(PlacesOfExtremes, AreTheFirstOfEquals) { on_each_instruction_set(expect_first_of_equals); }

TEST(StumpColumns, WantWholeBlocks) {
  EXPECT_THROW(StumpColumns(kStumpBlock + 1), std::logic_error);
  EXPECT_THROW(JudgedColumns(kStumpBlock - 1, false), std::logic_error);
  EXPECT_THROW(place_of_smallest(std::vector<double>(3)), std::logic_error);
  EXPECT_THROW(place_of_largest({}), std::logic_error);
  StumpColumns stumps(kStumpBlock);
  StumpMarks marks(kStumpBlock);
  const std::vector<float> values(kStumpBlock);
  EXPECT_THROW(stumps.teach(kStumpBlock, values, {1, 1}, marks), std::logic_error);
  EXPECT_THROW(stumps.teach(0, values, {0, 1}, marks), std::logic_error);
  EXPECT_THROW(stumps.teach(0, values, {1, -1}, marks), std::logic_error);
}

}  // namespace
}  // namespace mash
