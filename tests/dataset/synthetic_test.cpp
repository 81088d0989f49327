// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "tests/dataset/data_files.hpp"

namespace mash {
namespace {

using testing::load;

constexpr std::size_t kMany = 200'000;
constexpr double kError = 4 * 0.5 / 447;  // four standard errors of a share of kMany

double share_of_positives(const Split& side) {
  double count = 0;
  for (const std::uint16_t label : side.labels) count += label;
  return count / double(side.num_examples);
}

// The edge on uniform weights of the stump that says "+1" at or above the threshold.
double edge_of(const Split& side, std::size_t num_features, std::size_t feature, float threshold) {
  double sum = 0;
  for (std::size_t n = 0; n < side.num_examples; ++n)
    sum += (side.values[n * num_features + feature] >= threshold) == (side.labels[n] == 1) ? 1 : -1;
  return sum / double(side.num_examples);
}

TEST(Diagonal, HasTheKnownShareAndEdges) {
  const auto clean = load("diagonal", {{"noise", "0"}, {"train", std::to_string(kMany)}, {"test", "10"}}, 1);
  const auto noisy = load("diagonal", {{"train", std::to_string(kMany)}, {"test", "10"}}, 1);
  ASSERT_LOADS(clean);
  ASSERT_LOADS(noisy);
  EXPECT_NEAR(share_of_positives(clean->train), .5, kError);
  EXPECT_NEAR(share_of_positives(noisy->train), .5, kError);
  for (const std::size_t relevant : {0u, 3u}) {
    EXPECT_NEAR(edge_of(clean->train, 10, relevant, .5f), 17. / 48, 2 * kError);
    EXPECT_NEAR(edge_of(noisy->train, 10, relevant, .5f), .283333, 2 * kError);
  }
  for (const std::size_t other : {4u, 9u}) EXPECT_NEAR(edge_of(clean->train, 10, other, .5f), 0, 2 * kError);
}

TEST(Diagonal, NoiseIsTheShareOfWrongLabels) {
  const auto noisy =
      load("diagonal", {{"noise", "0.1"}, {"train", std::to_string(kMany)}, {"test", "10"}}, 2);
  ASSERT_LOADS(noisy);
  double num_wrong = 0;
  for (std::size_t n = 0; n < kMany; ++n) {
    double sum = 0;
    for (std::size_t j = 0; j < 4; ++j) sum += noisy->train.values[n * 10 + j];
    num_wrong += (sum > 2) != (noisy->train.labels[n] == 1);
  }
  EXPECT_NEAR(num_wrong / kMany, .1, kError);
}

TEST(Chess, HasTheKnownShareAndNoStumpBeatsTheConstant) {
  const auto chess = load("chess", {{"train", std::to_string(kMany)}, {"test", "10"}}, 1);
  const auto even = load("chess", {{"levels", "2"}, {"train", std::to_string(kMany)}, {"test", "10"}}, 1);
  ASSERT_LOADS(chess);
  ASSERT_LOADS(even);
  EXPECT_NEAR(share_of_positives(chess->train), 14. / 27, kError);
  EXPECT_NEAR(share_of_positives(even->train), .5, kError);
  for (const float threshold : {1 / 3.f, .5f, 2 / 3.f})
    EXPECT_LE(std::abs(edge_of(chess->train, 10, 0, threshold)), 1. / 27 + 2 * kError) << threshold;
}

TEST(Chess, TheClassIsTheParityOfTheField) {
  const auto chess =
      load("chess", {{"features", "3"}, {"relevant", "2"}, {"levels", "4"}, {"train", "500"}}, 3);
  ASSERT_LOADS(chess);
  for (std::size_t n = 0; n < 500; ++n) {
    const float* x = &chess->train.values[n * 3];
    EXPECT_EQ(chess->train.labels[n] == 1, (int(4 * x[0]) + int(4 * x[1])) % 2 == 0);
  }
}

TEST(Synthetic, IsSeededAndCounted) {
  for (const char* name : {"chess", "diagonal"}) {
    const auto first = load(name, {}, 1), same = load(name, {}, 1), other = load(name, {}, 2);
    const auto few = load(name, {{"train", "10"}, {"test", "5"}}, 1);
    ASSERT_LOADS(first);
    ASSERT_LOADS(few);
    EXPECT_EQ(first->train.num_examples, 1000u);
    EXPECT_EQ(first->test.num_examples, 1000u);
    EXPECT_EQ(first->column_names.size(), 10u);
    EXPECT_EQ(first->fingerprint, same->fingerprint);
    EXPECT_NE(first->fingerprint, other->fingerprint);
    EXPECT_NE(first->train.values, first->test.values);
    EXPECT_TRUE(std::equal(few->train.values.begin(), few->train.values.end(), first->train.values.begin()));
    EXPECT_FALSE(load(name, {{"relevant", "11"}}, 1).ok()) << "more than there are";
    EXPECT_FALSE(load(name, {{"train", "0.5"}}, 1).ok()) << "a part of what?";
    EXPECT_FALSE(load(name, {{"size", "28"}}, 1).ok());
  }
}

}  // namespace
}  // namespace mash
