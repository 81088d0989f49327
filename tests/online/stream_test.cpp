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

RC_GTEST_PROP(ExampleStream, GoesOnFromAPlaceAsItWouldHaveComeThere, (std::uint64_t seed)) {
  for (const Order order : {Order::kPasses, Order::kEndless}) {
    ExampleStream whole(seed, 7, order), resumed(seed, 7, order);
    take(whole, seed % 30);
    const ExampleStream::Place place = whole.place();
    RC_ASSERT(place.pass * 7 + place.position == seed % 30);
    RC_ASSERT(place == whole.place_after(seed % 30) || place.position == 7);
    resumed.go_to(place);
    RC_ASSERT(take(resumed, 20) == take(whole, 20));
    RC_ASSERT(resumed.place() == whole.place());
  }
}

TEST(ExampleStream, WithoutEndShowsEveryNumberOnce) {
  ExampleStream stream(1, 64, Order::kEndless), finite(1, 64);
  EXPECT_TRUE(stream.is_endless());
  auto numbers = take(stream, 64);
  EXPECT_EQ(numbers, take(finite, 64)) << "the first pass is that of the examples that are held";
  for (const std::uint32_t number : take(stream, 936)) numbers.push_back(number);
  EXPECT_FALSE(std::is_sorted(numbers.begin() + 64, numbers.end()));
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::uint32_t> first(1000);
  std::iota(first.begin(), first.end(), 0u);
  EXPECT_TRUE(std::equal(first.begin(), first.begin() + 960, numbers.begin())) << "15 whole passes";
  EXPECT_EQ(std::set(numbers.begin(), numbers.end()).size(), 1000u);
  EXPECT_LT(numbers.back(), 1024u);
  stream.go_to({(std::uint64_t(1) << 32) / 64, 0});
  EXPECT_LT(stream.next(), 64u) << "after 2^32 it begins again";
}

TEST(ExampleStream, IsOfTheExamplesThatItIsGiven) {
  const std::vector<std::uint32_t> examples{3, 7, 20, 21, 40};
  ExampleStream of_places(1, 5), of_examples(1, examples);
  for (int i = 0; i < 30; ++i) EXPECT_EQ(of_examples.next(), examples[of_places.next()]);
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
  ExampleStream stream(1, 1);
  EXPECT_EQ(take(stream, 5), std::vector<std::uint32_t>(5, 0));
  EXPECT_EQ(stream.num_examples(), 1u);
}

TEST(ExampleStream, WantsExamplesAndAPlaceAmongThem) {
  EXPECT_THROW(ExampleStream(1, 0u), std::logic_error);
  ExampleStream stream(1, 5);
  EXPECT_THROW(stream.go_to({0, 6}), std::logic_error);
}

}  // namespace
}  // namespace mash
