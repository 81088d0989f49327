// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/training/forecast.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/offer_space.hpp"

namespace mash {
namespace {

using testing::PlantedClasses;
using testing::World;

constexpr std::size_t kTrain = 6000;
constexpr std::uint32_t kRounds = 40;

Experiment forty_rounds() {
  auto experiment = parse_experiment(
      "dataset: {name: digits}\nheuristics: [hog]\n"
      "booster: {name: adaboost.mh, rounds: 40}\nsampler: {name: laminating, features: 8}\n",
      "e.yaml", {});
  if (!experiment.ok()) throw std::runtime_error(experiment.error().message);
  experiment->runs = 3;
  return *std::move(experiment);
}

struct Forecast : ::testing::Test {
  // extract_seconds: as if all examples took that long.
  Result<TrainingForecast> by_parts(double extract_seconds) {
    world.host.forget_images();
    return forecast_training_by_parts(forty_rounds(), kRounds, world.specs, world.store, extract_seconds,
                                      world.context());
  }
  const PlantedClasses classes{kTrain, 300};
  World world{classes.dataset(), classes.pool(), 2};
};

TEST_F(Forecast, WithAllFeaturesIsOfAllExamples) {
  const auto forecast =
      forecast_training(forty_rounds(), kRounds, world.dataset, world.features(), world.work);
  ASSERT_TRUE(forecast.ok()) << forecast.error().message;
  EXPECT_EQ(forecast->num_measured_on, kTrain);
  EXPECT_EQ(forecast->num_trainings, 3u);
  EXPECT_GE(forecast->rounds_measured, 3u);
  EXPECT_GT(forecast->seconds, 0);
}

TEST_F(Forecast, WithoutThemIsOfAsManyExamplesAsAreSoonExtracted) {
  const auto soon = by_parts(1), late = by_parts(8), too_late = by_parts(1000);
  ASSERT_TRUE(soon.ok() && late.ok() && too_late.ok());
  EXPECT_EQ(soon->num_measured_on, kTrain);
  EXPECT_EQ(late->num_measured_on, kTrain / 2) << "4 s of 8";
  EXPECT_GT(late->seconds, 0);
  EXPECT_EQ(late->num_trainings, 3u);
  EXPECT_EQ(too_late->rounds_measured, 0u) << "24 examples say nothing of 6000";
  EXPECT_THAT(too_late->reason, ::testing::HasSubstr("take long to extract"));
}

TEST_F(Forecast, KeepsNothing) {
  std::filesystem::remove_all(world.store.folder);
  ASSERT_TRUE(by_parts(8).ok());
  EXPECT_FALSE(std::filesystem::exists(world.store.folder));
  EXPECT_EQ(world.host.num_distinct_images(), (kTrain + 300) / 2) << "the half of it is a part of the part";
}

}  // namespace
}  // namespace mash
