// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "classifiers/losses/logistic.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::BoosterSettings;
using testing::Training;
using testing::World;

BoosterSettings logistic(std::uint32_t num_rounds) {
  BoosterSettings settings;
  settings.num_rounds = num_rounds;
  settings.loss = &logistic_loss();
  return settings;
}

TEST(LogisticTraining, WorkedExample) {
  // The constant is the best cut and wrong about one in four.
  World world(testing::table({0, 0, 0, 0}, {0, 0, 0, 1}, 2));
  Training training;
  training.booster = logistic(1);
  training.run(world);
  EXPECT_NEAR(training.events.rounds[0].alpha, std::log(3.0), 1e-9);
  EXPECT_NEAR(std::pow(10, training.events.rounds[0].train_loss_log10), 0.562335 / 0.693147, 1e-6);
}

TEST(LogisticTraining, PerfectFeatureIsHeldAtTenAndLosesItsWeight) {
  World world(testing::table({0, 0, 1, 1}, {0, 0, 1, 1}, 2));
  Training training;
  training.booster = logistic(60);
  const TrainingResult result = training.run(world);
  EXPECT_EQ(testing::hypotheses_of(result)[0].alpha, 10);
  for (const RoundEvent& event : training.events.rounds) {
    EXPECT_TRUE(std::isfinite(event.train_loss_log10));
    EXPECT_LE(event.alpha, 10);
  }
  for (const auto& weights : training.weak.weights)
    for (const double g : weights) ASSERT_TRUE(std::isfinite(g));
}

TEST(LogisticTraining, NoEdgeStops) {
  World world(testing::table({5, 5}, {0, 1}, 2));
  const TrainingResult result = testing::train(world, logistic(5));
  EXPECT_EQ(result.status, TrainingStatus::kNoWeakLearner);
  EXPECT_TRUE(testing::hypotheses_of(result).empty());
}

}  // namespace
}  // namespace mash
