// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/logitboost.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/boosters/halves.hpp"
#include "tests/boosters/made_booster.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::hypotheses_of;
using testing::learnable_table;
using testing::SettingList;
using testing::Training;
using testing::World;

Training logitboost(std::uint32_t num_rounds, SettingList list = {}) {
  list.emplace_back("rounds", std::to_string(num_rounds));
  return testing::training_with(testing::booster_maker(make_logitboost, "logitboost", list));
}

// F of class 1 against class 0, or of each class, after the first hypotheses.
std::vector<double> sums_of(const TrainingResult& result, const World& world, std::size_t num_hypotheses) {
  return testing::scores_on_values(result.model, world.dataset, world.dataset.train, num_hypotheses);
}

double sign(const World& world, std::size_t n, std::size_t l) {
  return world.dataset.train.labels[n] == l ? 1 : -1;
}

// Worked number T-A7: weighted error 0.25 gives ln 3, and the loss falls from ln 2 to 0.562335 (natural
// logarithm), which is 0.811278 in bits.
TEST(LogitBoost, FirstStepIsTheLogarithmOfTheOdds) {
  // The only column puts two of eight examples on the wrong side, at any cut.
  World world(testing::table({0, 0, 0, 1, 1, 1, 1, 0}, {0, 0, 0, 0, 1, 1, 1, 1}, 2, {0}, {0}));
  Training training = logitboost(1);
  const TrainingResult result = training.run(world);
  ASSERT_EQ(hypotheses_of(result).size(), 1u);
  EXPECT_NEAR(hypotheses_of(result)[0].alpha, std::log(3.0), 1e-9);
  EXPECT_NEAR(training.events.rounds[0].edge, 0.5, 1e-12);
  EXPECT_NEAR(training.events.rounds[0].train_loss_log10, std::log10(0.562335 / std::log(2.0)), 1e-6);
}

// T-A8: the loss never rises, and after the exact line search the hypothesis has no edge left.
TEST(LogitBoost, EachStepIsTheMinimumAlongItsHypothesis) {
  for (const std::size_t num_classes : {2u, 3u}) {
    World world(learnable_table(120, 6, num_classes, 5));
    Training training = logitboost(20, {{"scan", "f64"}});
    const TrainingResult result = training.run(world);
    const std::size_t num_problems = num_classes == 2 ? 1 : num_classes;
    ASSERT_EQ(hypotheses_of(result).size(), 20 * num_problems);
    double loss_before = 0;
    for (std::size_t t = 0; t < hypotheses_of(result).size(); ++t) {
      const std::size_t l = num_classes == 2 ? 1 : t % num_problems;
      const auto before = sums_of(result, world, t), after = sums_of(result, world, t + 1);
      double edge_left = 0;
      for (std::size_t n = 0; n < 120; ++n) {
        const double y = sign(world, n, l), F = after[n * num_classes + l];
        const double h = (F - before[n * num_classes + l]) / hypotheses_of(result)[t].alpha;
        ASSERT_NEAR(std::abs(h), 1, 1e-9);
        edge_left += y * h / (1 + std::exp(y * F));
      }
      EXPECT_NEAR(edge_left, 0, 1e-7) << t;
      EXPECT_LE(training.events.rounds[t].train_loss_log10, loss_before) << t;
      loss_before = training.events.rounds[t].train_loss_log10;
    }
  }
}

// A step of shrink times ln 3 (T-A7): the loss is 0.75 ln(1 + 3^-s) + 0.25 ln(1 + 3^s), above that of the
// whole step and below ln 2. The second step starts from there.
TEST(LogitBoost, ShrinkShortensEachStep) {
  World world(testing::table({0, 0, 0, 1, 1, 1, 1, 0}, {0, 0, 0, 0, 1, 1, 1, 1}, 2, {0}, {0}));
  Training training = logitboost(2, {{"shrink", "0.1"}});
  const TrainingResult result = training.run(world);
  ASSERT_EQ(hypotheses_of(result).size(), 2u);
  EXPECT_NEAR(hypotheses_of(result)[0].alpha, 0.1 * std::log(3.0), 1e-9);
  const double loss = 0.75 * std::log1p(std::pow(3, -0.1)) + 0.25 * std::log1p(std::pow(3, 0.1));
  EXPECT_NEAR(training.events.rounds[0].train_loss_log10, std::log10(loss / std::log(2.0)), 1e-9);
  // The same stump is found again; to the minimum 0.9 ln 3 are left.
  EXPECT_EQ(hypotheses_of(result)[1].cuts, hypotheses_of(result)[0].cuts);
  EXPECT_NEAR(hypotheses_of(result)[1].alpha, 0.09 * std::log(3.0), 1e-9);
}

TEST(LogitBoost, ShrinkOfOneChangesNothing) {
  World world(learnable_table(100, 6, 3, 5));
  Training without = logitboost(10), with = logitboost(10, {{"shrink", "1"}});
  EXPECT_EQ(with.run(world).model, without.run(world).model);
}

TEST(LogitBoost, ChoosesTheStumpOfLargestWeight) {
  World world(learnable_table(90, 5, 2, 7));
  Training training = logitboost(15, {{"scan", "f64"}});
  const TrainingResult result = training.run(world);
  for (std::size_t t = 0; t < 15; ++t) {
    const auto sums = sums_of(result, world, t);
    std::vector<double> weights;
    double total = 0;
    for (std::size_t n = 0; n < 90; ++n) {
      const double y = sign(world, n, 1);
      weights.push_back(y / (1 + std::exp(y * sums[2 * n + 1])));
      total += std::abs(weights.back());
    }
    double best = 0;
    for (std::uint32_t f = 0; f < world.features().num_features(); ++f) {
      const auto codes = world.features().column(Side::kTrain, f).codes;
      for (std::uint32_t cut = 0; cut <= world.features().num_cuts(f); ++cut) {
        double edge = 0;
        for (std::size_t n = 0; n < 90; ++n) edge += codes[n] >= cut ? weights[n] : -weights[n];
        best = std::max(best, std::abs(edge) / total);
      }
    }
    EXPECT_NEAR(training.events.rounds[t].edge, best, 1e-11) << t;
  }
}

// The loss is the mean over the classes, in bits: 1 at the beginning.
TEST(LogitBoost, TellsTheLossOfAllClasses) {
  World world(learnable_table(100, 6, 3, 5));
  Training training = logitboost(10, {{"scan", "f64"}});
  const TrainingResult result = training.run(world);
  const auto sums = sums_of(result, world, 30);
  double loss = 0;
  for (std::size_t n = 0; n < 100; ++n)
    for (std::size_t l = 0; l < 3; ++l)
      loss += std::log2(1 + std::exp(-sign(world, n, l) * sums[3 * n + l])) / 300;
  EXPECT_NEAR(training.events.rounds.back().train_loss_log10, std::log10(loss), 1e-9);
  std::size_t num_wrong = 0;
  for (std::size_t n = 0; n < 100; ++n)
    num_wrong += predicted_class(std::span(sums).subspan(3 * n, 3)) != world.dataset.train.labels[n];
  EXPECT_NEAR(training.events.curve.back().train_error, double(num_wrong) / 100, 1e-12);
}

TEST(LogitBoost, DrawnExamplesLearnToo) {
  World world(testing::halves(2000, 1000));
  for (const char* examples : {"fixed", "by_weight", "mada"}) {
    Training training = logitboost(60, {{"examples", examples}, {"drawn", "200"}});
    const TrainingResult result = training.run(world);
    EXPECT_LT(result.curve.back().test_error, 0.15) << examples << ", where one stump has 0.25";
    EXPECT_LE(result.meters.fe, 60u * 200u * world.features().num_features()) << examples;
  }
}

// T-A8 where the step is searched for on the whole side, except what is left out, and stumps on some of it.
TEST(LogitBoost, StepOnAllIsTheMinimumOnTheWholeSide) {
  const std::vector<std::uint32_t> left_out{0, 3};
  for (const char* examples : {"fixed", "by_weight", "mada"}) {
    World world(learnable_table(120, 6, 2, 5));
    Training training =
        logitboost(20, {{"examples", examples}, {"drawn", "30"}, {"step_on", "all"}, {"scan", "f64"}});
    training.left_out = left_out;
    const TrainingResult result = training.run(world);
    ASSERT_GE(hypotheses_of(result).size(), std::string_view(examples) == "fixed" ? 2u : 10u);
    double loss = 0;
    for (std::size_t t = 0; t < hypotheses_of(result).size(); ++t) {
      const auto before = sums_of(result, world, t), after = sums_of(result, world, t + 1);
      double edge_left = 0;
      loss = 0;
      for (std::size_t n = 0; n < 120; ++n) {
        if (n == 0 || n == 3) continue;
        const double y = sign(world, n, 1), F = after[2 * n + 1];
        edge_left += y * (F - before[2 * n + 1]) / hypotheses_of(result)[t].alpha / (1 + std::exp(y * F));
        loss += std::log2(1 + std::exp(-y * F)) / 118;
      }
      EXPECT_NEAR(edge_left, 0, 1e-7) << examples << " " << t;
    }
    EXPECT_NEAR(training.events.rounds.back().train_loss_log10, std::log10(loss), 1e-9) << examples;
  }
}

TEST(LogitBoost, ShrinkShortensStepsOnAll) {
  World world(testing::table({0, 0, 0, 1, 1, 1, 1, 0}, {0, 0, 0, 0, 1, 1, 1, 1}, 2, {0}, {0}));
  Training training =
      logitboost(1, {{"examples", "fixed"}, {"drawn", "8"}, {"step_on", "all"}, {"shrink", "0.1"}});
  EXPECT_NEAR(hypotheses_of(training.run(world))[0].alpha, 0.1 * std::log(3.0), 1e-9);
}

// As many as there are: by_weight and mada train on all of them, as without drawing.
TEST(LogitBoost, DrawsOfAllAreAll) {
  World world(learnable_table(100, 6, 2, 5));
  Training fixed = logitboost(10, {{"examples", "fixed"}, {"drawn", "100"}}), all = logitboost(10);
  EXPECT_EQ(fixed.run(world).model, all.run(world).model);
}

TEST(LogitBoost, SameModelForAnyThreadsAndAfterAnInterruption) {
  for (const SettingList& list :
       std::vector<SettingList>{{{"examples", "all"}},
                                {{"examples", "fixed"}, {"drawn", "60"}},
                                {{"examples", "by_weight"}, {"drawn", "60"}},
                                {{"examples", "mada"}, {"drawn", "60"}},
                                {{"examples", "fixed"}, {"drawn", "60"}, {"step_on", "all"}},
                                {{"examples", "by_weight"}, {"drawn", "60"}, {"step_on", "all"}}}) {
    const std::string examples = list[0].second + " " + list.back().second;
    World world(learnable_table(300, 6, 3, 5)), three(learnable_table(300, 6, 3, 5), 3);
    Training whole = logitboost(12, list), threads = logitboost(12, list), cut = logitboost(12, list);
    const TrainingResult expected = whole.run(world);
    EXPECT_EQ(threads.run(three).model, expected.model) << examples;
    const TrainingResult resumed = testing::run_with_an_interruption(cut, world, 17);
    EXPECT_EQ(resumed.model, expected.model) << examples;
    EXPECT_EQ(resumed.curve.back().train_loss_log10, expected.curve.back().train_loss_log10) << examples;
  }
}

TEST(LogitBoost, LeavesOutWhatItIsTold) {
  const std::vector<std::uint32_t> left_out{0, 3, 50, 99};
  World world(learnable_table(100, 6, 2, 5));
  Training training = logitboost(5);
  training.left_out = left_out;
  training.run(world);
  for (const auto& weights : training.weak.weights)
    for (const std::uint32_t n : left_out) EXPECT_EQ(weights[n], 0);
}

TEST(LogitBoost, RefusesWhatItCannotTrain) {
  World one(learnable_table(20, 3, 1, 5));
  Training training = logitboost(5);
  const auto result = training.try_run(one.dataset, one.features(), one.workers);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "found data of one class, expected at least two");
  const testing::WatchingLearner exact("stump", {{"cuts", "exact"}});
  EXPECT_TRUE(logitboost(5).other_booster->check(exact).ok());
  const Status refused = logitboost(5, {{"examples", "mada"}}).other_booster->check(exact);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "booster logitboost: found cuts: exact, expected codes");
  Settings settings = testing::settings_of({{"examples", "some"}});
  EXPECT_FALSE(make_logitboost(settings, plain_search()).ok());
  for (const SettingList& all :
       std::vector<SettingList>{{{"drawn", "50"}}, {{"step_on", "all"}, {"examples", "all"}}}) {
    Settings idle = testing::settings_of(all);
    const auto made = make_logitboost(idle, plain_search());
    ASSERT_FALSE(made.ok());
    EXPECT_EQ(made.error().message,
              "test: " + all[0].first + ": has no effect without examples: fixed, by_weight or mada");
  }
  for (const char* shrink : {"0", "-0.1", "1.5", "half"}) {
    Settings wrong = testing::settings_of({{"shrink", shrink}});
    const auto made = make_logitboost(wrong, plain_search());
    ASSERT_FALSE(made.ok()) << shrink;
    EXPECT_EQ(made.error().kind, ErrorKind::kInput);
    EXPECT_THAT(made.error().message, ::testing::HasSubstr("shrink"));
  }
}

}  // namespace
}  // namespace mash
