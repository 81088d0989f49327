// SPDX-License-Identifier: Apache-2.0
// The scan on data at the edge of what there is.
#include <limits>
#include <vector>

#include "classifiers/scan/stump_scan.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::World;

TEST(ScanDegenerate, ConstantFeatureHasTheConstantLearner) {
  World world(testing::table({3, 3, 3, 3}, {0, 0, 0, 1}, 2));
  SignedWeights weights(world.dataset.train.labels, 2);
  initialise(InitialWeights::kUniform, world.workers, weights);
  StumpScan scan(world.features(), weights, {}, world.workers);
  scan.new_round(1, 1);
  const StumpFit fit = scan.refit(0);
  EXPECT_EQ(fit.threshold, kConstant);
  EXPECT_NEAR(fit.edge, 0.5, 1e-15);
  EXPECT_EQ(fit.cell_votes, (std::vector<double>{-1, 1, 1, -1}));
  EXPECT_THAT(fit.above, ::testing::Each(1));
}

TEST(ScanDegenerate, MissingValuesFallBelowEveryThreshold) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  World world(testing::table({nan, nan, 1, 2}, {0, 0, 1, 1}, 2));
  SignedWeights weights(world.dataset.train.labels, 2);
  initialise(InitialWeights::kUniform, world.workers, weights);
  StumpScan scan(world.features(), weights, {}, world.workers);
  scan.new_round(1, 1);
  const StumpFit fit = scan.refit(0);
  EXPECT_EQ(fit.threshold, 1);
  EXPECT_NEAR(fit.edge, 1, 1e-15);
  EXPECT_EQ(fit.above, (std::vector<std::uint8_t>{0, 0, 1, 1}));
}

TEST(ScanDegenerate, HundredClassesAndOneExample) {
  World world(testing::table({3}, {99}, 101));
  SignedWeights weights(world.dataset.train.labels, 101);
  initialise(InitialWeights::kUniform, world.workers, weights);
  StumpScan scan(world.features(), weights, {}, world.workers);
  scan.new_round(1, 1);
  const std::uint32_t feature = 0;
  EXPECT_NEAR(scan.evaluate({&feature, 1}).front().edge, 1, 1e-3);
  EXPECT_NEAR(scan.refit(0).edge, 1, 1e-12);
}
}  // namespace
}  // namespace mash
