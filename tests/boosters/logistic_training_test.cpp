// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <vector>

#include "classifiers/losses/logistic.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::Training;
using testing::World;

BoosterSettings logistic(std::uint32_t num_rounds) {
  BoosterSettings settings;
  settings.num_rounds = num_rounds;
  settings.loss = LossKind::kLogistic;
  return settings;
}

class Logistic : public ::testing::Test {
 protected:
  Logistic() {
    training.booster = logistic(80);
    result = training.run(world);
  }
  World world{testing::learnable_table(300, 9, 4, 3)};
  Training training;
  TrainingResult result;
};

TEST_F(Logistic, LossNeverRises) {
  double before = 0;
  for (const RoundEvent& event : training.events.rounds) {
    EXPECT_LE(event.train_loss_log10, before + 1e-12);
    before = event.train_loss_log10;
  }
  EXPECT_LT(before, -0.2);
}

TEST_F(Logistic, LoggedLossIsThatOfTheModel) {
  const auto& labels = world.dataset.train.labels;
  for (const std::uint32_t round : {1u, 2u, 50u, 51u, 80u}) {
    const auto scores = testing::scores_on_values(result.model, world.dataset, world.dataset.train, round);
    double loss = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
      loss += logistic_loss(scores[i] * (labels[i / 4] == i % 4 ? 1 : -1)) / double(scores.size());
    EXPECT_NEAR(training.events.rounds[round - 1].train_loss_log10, std::log10(loss), 1e-9);
  }
}

TEST_F(Logistic, LastLearnerHasNoEdgeAfterItsRound) {
  for (std::size_t round = 1; round < 80; ++round) {
    const Hypothesis& stump = result.model.hypotheses[round - 1];
    double edge = 0;
    for (std::size_t i = 0; i < training.weak.weights[round].size(); ++i) {
      const float x = world.dataset.train.values[i / 4 * 9 + stump.cuts[0].feature_idx];
      edge += training.weak.weights[round][i] * stump.votes[i % 4] *
              (stump.is_constant() || x >= stump.cuts[0].threshold ? 1 : -1);
    }
    EXPECT_NEAR(edge, 0, 1e-8);
  }
}

TEST_F(Logistic, WeightsAreTheSlopeOfTheLoss) {
  const auto& labels = world.dataset.train.labels;
  const auto scores = testing::scores_on_values(result.model, world.dataset, world.dataset.train, 40);
  std::vector<double> expected;
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double sign = labels[i / 4] == i % 4 ? 1 : -1;
    expected.push_back(sign * logistic_weight(sign * scores[i]));
    sum += std::abs(expected.back());
  }
  for (std::size_t i = 0; i < scores.size(); ++i)
    EXPECT_NEAR(training.weak.weights[40][i], expected[i] / sum, 1e-12);
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
  EXPECT_EQ(result.model.hypotheses[0].alpha, 10);
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
  EXPECT_TRUE(result.model.hypotheses.empty());
}

}  // namespace
}  // namespace mash
