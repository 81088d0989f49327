// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/generators/chess.hpp"

#include <cmath>

#include "tests/dataset/cube_points.hpp"

namespace mash {
namespace {

using testing::edge_of;
using testing::kError;
using testing::kMany;
using testing::load;
using testing::share_of_positives;

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

TEST(Chess, IsSeededAndCounted) { testing::expect_seeded_and_counted("chess"); }

}  // namespace
}  // namespace mash
