// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/single_feature.hpp"

#include <gtest/gtest.h>

#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::World;

constexpr std::size_t kTrain = 90, kTest = 30, kClasses = 3;

// Feature 0 says nothing; feature 1 is the class of training examples, and on the test side wrong for every
// fifth; feature 2 is the class except on the examples that are held out, of which it knows none.
World world() {
  std::vector<std::uint16_t> train(kTrain), test(kTest);
  for (std::size_t n = 0; n < kTrain; ++n) train[n] = std::uint16_t(n % kClasses);
  for (std::size_t n = 0; n < kTest; ++n) test[n] = std::uint16_t(n % kClasses);
  return {testing::numbered_images(train, test, kClasses),
          {FakeFamily{"three", 3, [](std::uint32_t n, std::uint32_t j) -> float {
                        const float label = float((n < kTrain ? n : n - kTrain) % kClasses);
                        if (j == 0) return 1;
                        if (j == 1) return n >= kTrain && (n - kTrain) % 5 == 0 ? 2 - label : label;
                        return n < 30 ? 2 - label : label;
                      }}}};
}

TEST(SingleFeature, TheTestSideJudges) {
  World made = world();
  const SingleFeature best = best_single_feature(made.features(), made.dataset, {}, made.workers);
  // Feature 2 sees a third of its training examples turned round, which is no majority.
  EXPECT_EQ(best.feature, 2u);
  EXPECT_EQ(best.error, 0);
}

TEST(SingleFeature, HeldOutExamplesJudgeAndDoNotTrain) {
  World made = world();
  std::vector<std::uint32_t> held_out(30);
  for (std::uint32_t n = 0; n < 30; ++n) held_out[n] = n;
  const SingleFeature best = best_single_feature(made.features(), made.dataset, held_out, made.workers);
  EXPECT_EQ(best.feature, 1u);
  EXPECT_EQ(best.error, 0);
}

}  // namespace
}  // namespace mash
