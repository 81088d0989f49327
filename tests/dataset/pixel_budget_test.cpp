// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/pixel_budget.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "framework/base/parallel.hpp"

namespace mash {
namespace {

// The most pixels that threads held at once, when 200 pictures of `num_pixels` were decoded on four of them.
std::uint64_t most_held(std::uint64_t num_pixels, std::uint64_t budget_pixels) {
  PixelBudget budget(budget_pixels);
  std::atomic<std::uint64_t> held = 0, most = 0, num_done = 0;
  Workers(4).for_ranges(200, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      PixelShare share(budget);
      share.take(num_pixels);
      const std::uint64_t now = held += num_pixels;
      for (std::uint64_t before = most; before < now && !most.compare_exchange_weak(before, now);) {
      }
      ++num_done;
      held -= num_pixels;
    }
  });
  EXPECT_EQ(num_done, 200u);
  return most;
}

TEST(PixelBudget, IsNeverExceededByPicturesThatFitInIt) {
  for (const std::uint64_t num_pixels : {10u, 30u, 50u, 60u, 100u})
    EXPECT_LE(most_held(num_pixels, 100), 100u) << num_pixels;
}

TEST(PixelBudget, TakesALargerPictureAlone) { EXPECT_EQ(most_held(1000, 100), 1000u); }

TEST(PixelBudget, HasRoomForTheLargestPicture) {
  PixelBudget budget;
  PixelShare share(budget);
  share.take(PixelBudget::kMost);
  SUCCEED();
}

}  // namespace
}  // namespace mash
