// SPDX-License-Identifier: Apache-2.0
#include "framework/families/secret_order.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

#include "tests/support/film.hpp"

namespace mash {
namespace {

constexpr std::size_t kNumPlaces = 4000, kNumArranged = 10;

// Labels as data sets have them: the class of an example by its place.
struct Arrangement {
  const char* name;
  std::size_t (*class_of)(std::size_t example);
};
constexpr Arrangement kArrangements[] = {
    {"one class after the other", [](std::size_t n) { return n * kNumArranged / kNumPlaces; }},
    {"classes in turn", [](std::size_t n) { return n % kNumArranged; }},
    {"pairs of one class", [](std::size_t n) { return n / 2 % kNumArranged; }},
    {"the first half is of one class",
     [](std::size_t n) { return n < kNumPlaces / 2 ? 0 : 1 + n % (kNumArranged - 1); }},
};

const auto kAlone = [](std::size_t) { return false; };

TEST(SecretOrder, HasEachPlaceOnce) {
  for (const std::size_t count : {0, 1, 2, 1000}) {
    std::vector<std::uint32_t> order = secret_order(count, kAlone, 7), expected(count);
    std::sort(order.begin(), order.end());
    std::iota(expected.begin(), expected.end(), 0u);
    EXPECT_EQ(order, expected);
  }
}

TEST(SecretOrder, FollowsFromTheSecretAlone) {
  EXPECT_EQ(secret_order(kNumPlaces, kAlone, 7), secret_order(kNumPlaces, kAlone, 7));
  EXPECT_NE(secret_order(kNumPlaces, kAlone, 7), secret_order(kNumPlaces, kAlone, 8));
}

// The best guess of a class from a place, from the place modulo anything small, or from the class before, is
// right hardly more often than chance. The bounds are five standard deviations of chance.
TEST(SecretOrder, TellsNothingOfClasses) {
  const std::vector<std::uint32_t> order = secret_order(kNumPlaces, kAlone, 20261128);
  for (const Arrangement& arrangement : kArrangements) {
    std::vector<std::size_t> counts(kNumArranged);
    for (std::size_t n = 0; n < kNumPlaces; ++n) ++counts[arrangement.class_of(n)];
    for (std::size_t k = 0; k < kNumArranged; ++k) {
      const double share = double(counts[k]) / kNumPlaces;
      for (std::size_t modulus = 1; modulus <= 12; ++modulus)
        for (std::size_t rest = 0; rest < modulus; ++rest) {
          double num = 0, num_right = 0;
          for (std::size_t i = rest; i < kNumPlaces; i += modulus, ++num)
            num_right += arrangement.class_of(order[i]) == k;
          EXPECT_NEAR(num_right / num, share, 5 * std::sqrt(share * (1 - share) / num))
              << arrangement.name << ", class " << k << ", " << rest << " modulo " << modulus;
        }
      double num_first_half = 0, num_repeated = 0;
      for (std::size_t i = 0; i < kNumPlaces; ++i) {
        num_first_half += i < kNumPlaces / 2 && arrangement.class_of(order[i]) == k;
        num_repeated +=
            i > 0 && arrangement.class_of(order[i]) == k && arrangement.class_of(order[i - 1]) == k;
      }
      EXPECT_NEAR(num_first_half / (kNumPlaces / 2), share, 5 * std::sqrt(share / (kNumPlaces / 2)));
      EXPECT_NEAR(num_repeated / kNumPlaces, share * share, 5 * share / std::sqrt(kNumPlaces))
          << arrangement.name;
    }
  }
}

TEST(SecretOrder, LeavesFilmsWhole) {
  Dataset dataset;
  dataset.shape = {3, 2, 1, 2};
  dataset.train = testing::films({30, 1, 2, 40, 7, 12}, dataset.shape, 1);
  dataset.test = testing::films({3, 8}, dataset.shape, 2);
  const std::vector<std::uint32_t> order = secret_order(dataset, 5);
  ASSERT_EQ(order.size(), 103u);
  std::size_t num_films = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_train = order[i] < 92;
    const Frame& frame = is_train ? dataset.train.frames[order[i]] : dataset.test.frames[order[i] - 92];
    num_films += frame.place == 0;
    if (frame.place > 0) {
      EXPECT_EQ(order[i], order[i - 1] + 1);
    }
  }
  EXPECT_EQ(num_films, 8u);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
}

TEST(SecretOrder, OfSomeExamplesLeavesTheirRunsWhole) {
  const Split split = testing::films({4, 3, 5}, {3, 2, 1, 1}, 1);
  const std::vector<std::uint32_t> rows{1, 2, 4, 5, 7, 9, 10};  // runs: 1 2, 4 5, 7, 9 10
  const std::vector<std::uint32_t> places = secret_order(split, rows, 3);
  ASSERT_EQ(places.size(), rows.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    if (const std::uint32_t place = places[i]; place == 1 || place == 3 || place == 6) {
      ASSERT_GT(i, 0u);
      EXPECT_EQ(places[i - 1], place - 1);
    }
}

}  // namespace
}  // namespace mash
