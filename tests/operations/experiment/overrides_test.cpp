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

// Digits of USPS are pictures where heuristics are asked for, else columns; what the user says goes before.
TEST(DatasetSettings, OfUspsFollowTheHeuristics) {
  for (const auto& [text, expected] :
       {std::pair("dataset: usps", "columns"), std::pair("dataset: usps\nheuristics: all", "pictures"),
        std::pair("dataset: usps\nheuristics: [hog]", "pictures"),
        std::pair("dataset: {name: usps, form: columns}\nheuristics: [hog]", "columns"),
        std::pair("dataset: {name: usps, form: pictures}", "pictures")}) {
    const auto experiment = parse_experiment(text, "e.yaml", {});
    ASSERT_TRUE(experiment.ok()) << experiment.error().message;
    EXPECT_EQ(dataset_settings(*experiment).peek("form"), expected) << text;
    // The record of a run is read again.
    const auto again = parse_experiment(to_yaml(*experiment), "record", {});
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(dataset_settings(*again).peek("form"), expected) << text;
  }
  const auto asked = parse_experiment("dataset: usps", "e.yaml", {{"heuristics=[hog]"}});
  ASSERT_TRUE(asked.ok());
  EXPECT_EQ(dataset_settings(*asked).peek("form"), "pictures");
  const auto other = parse_experiment("dataset: mnist", "e.yaml", {});
  EXPECT_FALSE(dataset_settings(*other).has("form"));
}

}  // namespace
}  // namespace mash
