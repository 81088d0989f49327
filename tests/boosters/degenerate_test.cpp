// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::BoosterSettings;
using testing::hypotheses_of;
using testing::table;
using testing::train;
using testing::Training;
using testing::World;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

BoosterSettings rounds(std::uint32_t num_rounds) {
  BoosterSettings settings;
  settings.num_rounds = num_rounds;
  return settings;
}

void expect_finite(const Training& training, const TrainingResult& result) {
  for (const RoundEvent& event : training.events.rounds) {
    EXPECT_TRUE(std::isfinite(event.alpha));
    EXPECT_TRUE(std::isfinite(event.edge));
    EXPECT_TRUE(std::isfinite(event.train_loss_log10));
  }
  for (const auto& weights : training.weak.weights)
    for (const double g : weights) ASSERT_TRUE(std::isfinite(g));
  for (const double f : result.test_scores) EXPECT_TRUE(std::isfinite(f));
}

TEST(Degenerate, NoEdgeEndsAFullSearchAtOnce) {
  World world(table({5, 5, 5, 5}, {0, 1, 0, 1}, 2, {5}, {0}));
  Training training;
  training.booster = rounds(10);
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.status, TrainingStatus::kNoWeakLearner);
  EXPECT_EQ(result.num_rounds, 1u);
  EXPECT_TRUE(hypotheses_of(result).empty());
  ASSERT_EQ(training.events.rounds.size(), 1u);
  EXPECT_EQ(training.events.rounds[0].alpha, 0);
  EXPECT_EQ(training.events.rounds[0].train_loss_log10, 0);
  EXPECT_EQ(result.curve.back().round, 1u);
}

TEST(Degenerate, AHundredIdleRoundsEndASampledSearch) {
  World world(table({5, 5, 5, 5}, {0, 1, 0, 1}, 2, {5}, {0}));
  for (const char* sampler :
       {"uniform.naive", "uniform.1q", "uniform.q1", "tasting.1q", "tasting.q1", "laminating"}) {
    Training training;
    training.booster = rounds(1000);
    training.sampler = sampler;
    const TrainingResult result = training.run(world);
    EXPECT_EQ(result.status, TrainingStatus::kNoWeakLearner) << sampler;
    EXPECT_EQ(result.num_rounds, 100u) << sampler;
    EXPECT_TRUE(hypotheses_of(result).empty());
  }
}

TEST(Degenerate, IdleRoundsCountCostAndAreForgottenAfterALuckyOne) {
  // One feature of thirty says something, and only half of the examples' worth.
  std::vector<float> values(6 * 30, 1.f);
  const std::vector<std::uint16_t> labels{0, 1, 0, 1, 0, 1};
  for (std::size_t n = 0; n < 6; ++n) values[n * 30 + 7] = float(n < 4 ? labels[n] : 1 - labels[n]);
  World world(table(values, labels, 2, std::vector<float>(30), {0}));
  Training training;
  training.booster = rounds(1000);
  training.sampler = "uniform.naive";
  training.sampler_settings = {{"features", "1"}};
  const TrainingResult result = training.run(world);
  // The feature has no edge left after its round, so that a hundred idle rounds follow that one.
  EXPECT_EQ(result.status, TrainingStatus::kNoWeakLearner);
  ASSERT_EQ(hypotheses_of(result).size(), 1u);
  std::uint32_t lucky = 0;
  for (const RoundEvent& event : training.events.rounds)
    if (event.alpha > 0) lucky = event.round;
  ASSERT_GT(lucky, 0u);
  EXPECT_EQ(result.num_rounds, lucky + 100);
  for (const RoundEvent& event : training.events.rounds)
    EXPECT_EQ(event.cost, event.round * 6u) << "idle rounds are paid";
  EXPECT_EQ(result.families[0].chosen, 1u);
}

TEST(Degenerate, PerfectFeatureIsSmoothedAndTrainingGoesOn) {
  World world(table({0, 0, 1, 1}, {0, 0, 1, 1}, 2, {1}, {1}));
  Training training;
  training.booster = rounds(5);
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.status, TrainingStatus::kComplete);
  ASSERT_EQ(hypotheses_of(result).size(), 5u);
  const double delta = 0.01 / 4, cap = 0.5 * std::log((1 - delta) / delta);
  for (const Hypothesis& stump : hypotheses_of(result)) EXPECT_NEAR(stump.alpha, cap, 1e-12);
  for (const RoundEvent& event : training.events.rounds)
    EXPECT_NEAR(event.train_loss_log10, event.round * -cap / std::log(10.0), 1e-9);
  EXPECT_EQ(result.curve.back().train_error, 0);
  expect_finite(training, result);
}

// The squared hinge (1 - m)^2 of m < 1 and 0 beyond.
class SquaredHinge final : public Loss {
 public:
  void values(std::span<const double> margins, std::span<double> values) const override {
    weights(margins, values);
    for (double& value : values) value *= value;
  }
  void weights(std::span<const double> margins, std::span<double> weights) const override {
    for (std::size_t i = 0; i < margins.size(); ++i) weights[i] = std::max(0.0, 1 - margins[i]);
  }
  void curvatures(std::span<const double> margins, std::span<double> curvatures) const override {
    for (std::size_t i = 0; i < margins.size(); ++i) curvatures[i] = margins[i] < 1 ? 1 : 0;
  }
};

TEST(Degenerate, ALossOfZeroEndsTraining) {
  World world(table({0, 0, 1, 1}, {0, 0, 1, 1}, 2, {1}, {1}));
  const SquaredHinge loss;
  Training training;
  training.booster = rounds(50);
  training.booster.loss = &loss;
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.status, TrainingStatus::kSeparated);
  EXPECT_LT(training.events.rounds.back().train_loss_log10, -300);
  EXPECT_EQ(result.curve.back().train_error, 0);
  expect_finite(training, result);
}

TEST(Degenerate, StopOnPerfectStopsAfterIt) {
  World world(table({0, 0, 1, 1}, {0, 0, 1, 1}, 2, {1}, {1}));
  BoosterSettings settings = rounds(5);
  settings.stop_on_perfect = true;
  const TrainingResult result = train(world, settings);
  EXPECT_EQ(result.status, TrainingStatus::kSeparated);
  EXPECT_EQ(hypotheses_of(result).size(), 1u);
}

TEST(Degenerate, SeparatedBeyondThreeHundredDecades) {
  World world(table({0, 0, 1, 1}, {0, 0, 1, 1}, 2, {1}, {1}));
  Training training;
  training.booster = rounds(1000);
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.status, TrainingStatus::kSeparated);
  const double decades = 0.5 * std::log10((1 - 0.0025) / 0.0025);
  EXPECT_EQ(result.num_rounds, std::uint32_t(300 / decades) + 1);
  expect_finite(training, result);
}

TEST(Degenerate, OneClassIsLearntByTheConstant) {
  for (const std::size_t num_classes : {std::size_t(1), std::size_t(2), std::size_t(5)}) {
    World world(table({1, 2, 3}, {0, 0, 0}, num_classes, {2}, {0}));
    Training training;
    training.booster = rounds(3);
    const TrainingResult result = training.run(world);
    ASSERT_EQ(hypotheses_of(result).size(), 3u);
    EXPECT_TRUE(hypotheses_of(result)[0].is_constant());
    EXPECT_NEAR(training.events.rounds[0].edge, 1, 1e-12);
    EXPECT_EQ(result.curve.back().test_error, 0);
    expect_finite(training, result);
  }
}

TEST(Degenerate, ClassWithoutExamplesIsLegal) {
  World world(table({1, 2, 3, 4}, {0, 0, 2, 2}, 3, {1, 4}, {0, 2}));
  for (const InitialWeights init :
       {InitialWeights::kUniform, InitialWeights::kBalanced, InitialWeights::kClassBalanced}) {
    Training training;
    training.booster = rounds(20);
    training.booster.init = init;
    const TrainingResult result = training.run(world);
    EXPECT_EQ(result.curve.back().test_error, 0);
    expect_finite(training, result);
  }
}

TEST(Degenerate, OneExampleIsLegal) {
  World world(table({1, 2}, {1}, 3, {1, 2}, {1}));
  Training training;
  training.booster = rounds(3);
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.curve.back().test_error, 0);
  expect_finite(training, result);
}

TEST(Degenerate, DuplicateExamplesOfDifferentClassesAreLegal) {
  World world(table({1, 1, 1, 2}, {0, 1, 2, 2}, 3, {1}, {0}));
  Training training;
  training.booster = rounds(30);
  expect_finite(training, training.run(world));
}

TEST(Degenerate, AllMissingIsOnlyTheConstant) {
  World world(table({kNan, kNan, kNan, kNan, kNan}, {0, 1, 2, 0, 0}, 3, {kNan}, {0}));
  Training training;
  training.booster = rounds(10);
  const TrainingResult result = training.run(world);
  for (const Hypothesis& stump : hypotheses_of(result)) EXPECT_TRUE(stump.is_constant());
  EXPECT_EQ(result.curve.back().test_error, 0) << "the most frequent class";
}

TEST(Degenerate, MissingValuesAreBelowEveryThreshold) {
  World world(table({kNan, kNan, 1, 2}, {0, 0, 1, 1}, 2, {kNan, 1}, {0, 1}));
  EXPECT_EQ(train(world, rounds(1)).curve.back().test_error, 0);
}

// From uniform weights the constant against all classes leads to exactly the balanced ones.
TEST(Degenerate, ConstantLearnerTurnsUniformWeightsIntoBalancedOnes) {
  World world(table(std::vector<float>(9, 1.f), {0, 1, 2, 0, 1, 2, 0, 1, 2}, 3));
  Training training;
  training.booster = rounds(5);
  training.booster.scan = ScanMode::kF64;
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.status, TrainingStatus::kNoWeakLearner);
  ASSERT_EQ(hypotheses_of(result).size(), 1u);
  EXPECT_NEAR(training.events.rounds[0].edge, 1.0 / 3, 1e-12);
  EXPECT_NEAR(hypotheses_of(result)[0].alpha, 0.5 * std::log(2.0), 1e-12);
  EXPECT_NEAR(training.events.rounds[0].train_loss_log10, std::log10(2 * std::sqrt(2.0) / 3), 1e-12);
  SignedWeights balanced(world.dataset.train.labels, 3);
  initialise(InitialWeights::kBalanced, world.workers, balanced);
  for (std::size_t i = 0; i < 27; ++i) EXPECT_NEAR(training.weak.weights[1][i], balanced.all()[i], 1e-12);
}

TEST(Degenerate, EqualFeaturesAreDrawn) {
  World world(table({0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}, {0, 0, 1, 1}, 2, {0, 0, 0}, {0}));
  const TrainingResult result = train(world, rounds(30));
  std::set<std::uint32_t> chosen;
  for (const Hypothesis& stump : hypotheses_of(result)) chosen.insert(stump.cuts[0].feature_idx);
  EXPECT_EQ(chosen, (std::set<std::uint32_t>{0, 1, 2}));
}

TEST(Degenerate, NoTestExamplesAreNoError) {
  World world(table({0, 1, 2}, {0, 1, 1}, 2));
  const TrainingResult result = train(world, rounds(3));
  EXPECT_EQ(result.curve.back().test_error, 0);
  EXPECT_TRUE(result.test_scores.empty());
}

TEST(Degenerate, HeavyWeightsUnderflowToNothingAndNotToNan) {
  // Ninety-nine separable examples and one that contradicts: its weight takes over, the others' nearly
  // vanish.
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (std::uint16_t n = 0; n < 100; ++n) {
    values.push_back(float(n));
    labels.push_back(n < 50);
  }
  labels[99] = 1;
  World world(table(values, labels, 2, {1}, {1}));
  Training training;
  training.booster = rounds(2000);
  expect_finite(training, training.run(world));
}

TEST(Degenerate, StopIsObeyedAndKeepsTheRoundsDone) {
  World world(testing::learnable_table(100, 5, 3, 1));
  Training training;
  training.booster = rounds(50);
  training.stop_after = 7;
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.status, TrainingStatus::kStopped);
  EXPECT_EQ(result.num_rounds, 7u);
  EXPECT_EQ(hypotheses_of(result).size(), 7u);
  EXPECT_EQ(result.curve.back().round, 7u);
}

TEST(TrainingStatus, HasWords) {
  EXPECT_EQ(to_string(TrainingStatus::kComplete), "complete");
  EXPECT_EQ(to_string(TrainingStatus::kNoWeakLearner), "no weak learner");
  EXPECT_EQ(to_string(TrainingStatus::kSeparated), "separated");
  EXPECT_EQ(to_string(TrainingStatus::kStopped), "stopped");
}

}  // namespace
}  // namespace mash
