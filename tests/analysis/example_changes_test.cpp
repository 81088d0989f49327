// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/example_changes.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "framework/analysis/log_loss.hpp"
#include "framework/analysis/paired_losses.hpp"

namespace mash {
namespace {

const std::vector<std::uint16_t> kThreeLabels{0, 1, 0};

// Adds a seed; scores of three examples and two classes.
void add(const std::vector<float>& before, const std::vector<float>& after, ExampleChanges& changes,
         PairedLosses& losses) {
  const auto of_before = log_losses(before, kThreeLabels), of_after = log_losses(after, kThreeLabels);
  losses.add(of_before, of_after);
  changes.add({before, of_before}, {after, of_after});
}

TEST(ExampleChanges, SayWhatWasSaidBeforeAndAfter) {
  ExampleChanges collected(3, 2);
  PairedLosses losses(3);
  add({0, 1, 0, 2, 1, 1}, {2, 0, 0, 2, 0, 1}, collected, losses);
  add({0, 2, 0, 1, 1, 1}, {1, 0, 0, 1, 0, 1.1f}, collected, losses);
  add({3, 0, 0, 1, 1, 1}, {2, 0, 0, 1, 0, .9f}, collected, losses);
  const auto changes = collected.changes(losses.gain_factor());
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].predicted_before, 1) << "by two of three";
  EXPECT_EQ(changes[0].predicted_after, 0);
  const auto p = [](double lead) { return 1 / (1 + std::exp(-lead)); };
  EXPECT_NEAR(changes[0].probability_before, (p(-1) + p(-2) + p(3)) / 3, 1e-12);
  EXPECT_NEAR(changes[0].probability_after, (p(2) + p(1) + p(2)) / 3, 1e-12);
  EXPECT_EQ(changes[1].gain, 0);
  EXPECT_EQ(changes[1].p_corrected, 1);
  EXPECT_EQ(changes[2].predicted_before, 0) << "the lowest of equals";
  EXPECT_LT(changes[2].gain, 0);
  EXPECT_LT(changes[2].p_corrected, changes[0].p_corrected) << "nearly the same each time";
  EXPECT_GT(changes[0].p_corrected, .05) << "now for better and now for worse";
  EXPECT_NEAR(changes[0].gain + changes[1].gain + changes[2].gain, losses.gain(), 1e-9);
}

}  // namespace
}  // namespace mash
