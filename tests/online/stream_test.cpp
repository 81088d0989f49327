// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/stream.hpp"

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

namespace mash {
namespace {

using Order = ExampleStream::Order;

std::vector<std::uint32_t> take(ExampleStream& stream, std::size_t count) {
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(stream.next());
  return numbers;
}

TEST(ExampleStream, EachPassHasEveryExampleOnceInAnOrderOfItsOwn) {
  ExampleStream stream(1, 100);
  std::vector<std::uint32_t> all(100);
  std::iota(all.begin(), all.end(), 0u);
  std::set<std::vector<std::uint32_t>> orders{all};
  for (int pass = 0; pass < 5; ++pass) {
    auto numbers = take(stream, 100);
    EXPECT_TRUE(orders.insert(numbers).second);
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(numbers, all);
  }
}

TEST(ExampleStream, DrawsWithReplacementAreUniform) {
  ExampleStream stream(1, 10, Order::kReplacement);
  std::vector<int> counts(10);
  for (const std::uint32_t number : take(stream, 10'000)) ++counts[number];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
  const auto pass = take(stream, 10);
  EXPECT_LT(std::set(pass.begin(), pass.end()).size(), 10u);
}

RC_GTEST_PROP(ExampleStream, GoesOnFromAPlaceAsItWouldHaveComeThere, (std::uint64_t seed)) {
  for (const Order order : {Order::kPasses, Order::kReplacement}) {
    ExampleStream whole(seed, 7, order), resumed(seed, 7, order);
    take(whole, seed % 30);
    const ExampleStream::Place place = whole.place();
    RC_ASSERT(place.pass * 7 + place.position == seed % 30);
    resumed.go_to(place);
    RC_ASSERT(take(resumed, 20) == take(whole, 20));
    RC_ASSERT(resumed.place() == whole.place());
  }
}

TEST(ExampleStream, OtherSeedsGiveOtherOrders) {
  ExampleStream a(1, 50), b(2, 50);
  EXPECT_NE(take(a, 50), take(b, 50));
}

TEST(ExampleStream, PassesOverWhatIsHeld) {
  ExampleStream stream(1, 20);
  std::multiset<std::uint32_t> seen;
  const auto is_held = [](std::uint32_t number) { return number % 4 != 0; };
  for (int i = 0; i < 10; ++i) seen.insert(stream.next_not_held(is_held));
  EXPECT_EQ(seen, (std::multiset<std::uint32_t>{0, 0, 4, 4, 8, 8, 12, 12, 16, 16})) << "two passes";
}

TEST(ExampleStream, GivesOneAllTheSameWhereAllAreHeld) {
  ExampleStream stream(1, 20), plain(1, 20);
  EXPECT_EQ(stream.next_not_held([](std::uint32_t) { return true; }), take(plain, 20).back());
  EXPECT_EQ(stream.place().position, 20u);
}

TEST(ExampleStream, HoldingNoneIsNext) {
  ExampleStream stream(3, 20), plain(3, 20);
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(stream.next_not_held([](std::uint32_t) { return false; }), plain.next());
}

TEST(ExampleStream, OneExampleComesAgainAndAgain) {
  for (const Order order : {Order::kPasses, Order::kReplacement}) {
    ExampleStream stream(1, 1, order);
    EXPECT_EQ(take(stream, 5), std::vector<std::uint32_t>(5, 0));
    EXPECT_EQ(stream.num_examples(), 1u);
  }
}

TEST(ExampleStream, WantsExamplesAndAPlaceAmongThem) {
  EXPECT_THROW(ExampleStream(1, 0), std::logic_error);
  ExampleStream stream(1, 5);
  EXPECT_THROW(stream.go_to({0, 6}), std::logic_error);
}

}  // namespace
}  // namespace mash
