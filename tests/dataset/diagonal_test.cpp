// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/generators/diagonal.hpp"

#include <cmath>

#include "tests/dataset/cube_points.hpp"

namespace mash {
namespace {

using testing::edge_of;
using testing::kError;
using testing::kMany;
using testing::load;
using testing::share_of_positives;

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

TEST(Diagonal, IsSeededAndCounted) { testing::expect_seeded_and_counted("diagonal"); }

}  // namespace
}  // namespace mash
