// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "framework/operations/experiment/experiment.hpp"

namespace mash {
namespace {

TEST(WithOverrides, KeepsWhatNobodySays) {
  Experiment experiment = default_experiment();
  experiment.dataset.name = "images";
  experiment.seed = 7;
  experiment.patience = 3;
  const auto changed =
      with_overrides(experiment, {{"booster.rounds=5", "heuristics=[{id: hog, cell: [4, 8]}]", "runs=2"}});
  ASSERT_TRUE(changed.ok()) << changed.error().message;
  EXPECT_EQ(changed->dataset.name, "images");
  EXPECT_EQ(changed->seed, 7u);
  EXPECT_EQ(changed->patience, 3u);
  EXPECT_EQ(changed->runs, 2u);
  EXPECT_EQ(describe_part(changed->booster), "adaboost.mh, rounds 5");
  EXPECT_EQ(changed->heuristics.size(), 2u);
}

TEST(WithOverrides, TellsAllThatIsWrong) {
  const auto changed = with_overrides(default_experiment(), {{"seed=many", "boster.rounds=5"}, "--set"});
  ASSERT_FALSE(changed.ok());
  EXPECT_THAT(changed.error().message, ::testing::HasSubstr("--set boster.rounds=5"));
  EXPECT_THAT(changed.error().message, ::testing::HasSubstr("--set seed=many"));
}

}  // namespace
}  // namespace mash
