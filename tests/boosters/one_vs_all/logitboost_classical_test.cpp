// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "classifiers/boosters/one_vs_all/logitboost.hpp"
#include "tests/boosters/made_booster.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;
using testing::hypotheses_of;
using testing::learnable_table;
using testing::SettingList;
using testing::Training;
using testing::World;

Training classical(std::uint32_t num_rounds, SettingList list = {}) {
  list.emplace_back("rounds", std::to_string(num_rounds));
  return testing::training_with(
      testing::booster_maker(make_classical_logitboost, "logitboost.classical", list));
}

std::vector<double> sums_after(const TrainingResult& result, const World& world, std::size_t num_hypotheses) {
  return testing::scores_on_values(result.model, world.dataset, world.dataset.train, num_hypotheses);
}

// The only column puts two of eight examples on the wrong side, at any cut.
Dataset two_of_eight_wrong() {
  return testing::table({0, 0, 0, 1, 1, 1, 1, 0}, {0, 0, 0, 0, 1, 1, 1, 1}, 2, {0}, {0});
}

// Both sides of the cut are alike, so that F follows Newton's method towards ln 3: the iterates of T-A7. At
// first z is -2 or 2 and w 1/4: the mean on a side is (3 x 2 - 2) / 4 = 1. Then z is 1 + 1/e where F is right
// and 1 + e where it is wrong, and F moves by (3 (1 + 1/e) - (1 + e)) / 4 = 0.096339.
TEST(ClassicalLogitBoost, FollowsNewtonsMethod) {
  World world(two_of_eight_wrong());
  Training training = classical(4);
  const TrainingResult result = training.run(world);
  ASSERT_EQ(hypotheses_of(result).size(), 4u);
  const double iterates[] = {1, 1.096339, 1.098611, 1.098612};
  for (std::size_t t = 0; t < 4; ++t)
    EXPECT_NEAR(std::abs(sums_after(result, world, t + 1)[1]), iterates[t], 5e-7) << t;
  EXPECT_NEAR(hypotheses_of(result)[1].alpha, (3 * (1 + std::exp(-1.0)) - (1 + std::exp(1.0))) / 4, 1e-12);
  EXPECT_NEAR(training.events.rounds[0].edge, 0.25, 1e-12) << "a mean step of 1, of 4 at most";
  const double loss = 0.75 * std::log1p(std::exp(-1.0)) + 0.25 * std::log1p(std::exp(1.0));
  EXPECT_NEAR(training.events.rounds[0].train_loss_log10, std::log10(loss / std::log(2.0)), 1e-12);
}

// A side that is pure and one that is not have steps of their own: 2 and (1 x 2 - 2 x 2) / 3 = -2/3.
TEST(ClassicalLogitBoost, EachSideHasAVoteOfItsOwn) {
  World world(testing::table({1, 1, 0, 0, 0}, {1, 1, 1, 0, 0}, 2, {0}, {0}));
  Training training = classical(1);
  const TrainingResult result = training.run(world);
  ASSERT_EQ(hypotheses_of(result).size(), 1u);
  const Hypothesis& only = hypotheses_of(result)[0];
  EXPECT_TRUE(only.is_tree()) << "of one cut";
  EXPECT_NEAR(only.alpha, 2, 1e-12);
  const auto sums = sums_after(result, world, 1);
  const double above = 2, below = -2.0 / 3;
  const double expected[] = {above, above, below, below, below};
  for (std::size_t n = 0; n < 5; ++n) {
    EXPECT_NEAR(sums[2 * n + 1], expected[n], 1e-12) << n;
    EXPECT_NEAR(sums[2 * n], -expected[n], 1e-12) << n;
  }
}

// The probability of class l in the paper's words: of two classes F is half of ours (Algorithm 3), of more
// the sums are those of Algorithm 6.
double probability(std::span<const double> sums, std::size_t l) {
  if (sums.size() == 2) return 1 / (1 + std::exp(-2 * (sums[l] / 2)));
  double all = 0;
  for (const double sum : sums) all += std::exp(sum);
  return std::exp(sums[l]) / all;
}

// The fit of one class at one time, likewise.
class PaperRound {
 public:
  PaperRound(const World& world, const std::vector<double>& sums, std::size_t l) : world_(world) {
    const std::size_t num_classes = world.dataset.num_classes();
    for (std::size_t n = 0; n < num_examples(); ++n) {
      const double p = probability(std::span(sums).subspan(n * num_classes, num_classes), l),
                   y = world.dataset.train.labels[n] == l;
      w_.push_back(std::max(p * (1 - p), 1e-10));
      z_.push_back(std::clamp((y - p) / (p * (1 - p)), -4.0, 4.0));
    }
  }

  // The sum of w (z - f)^2.
  double error_of(const std::vector<double>& f) const {
    double error = 0;
    for (std::size_t n = 0; n < num_examples(); ++n) error += w_[n] * std::pow(z_[n] - f[n], 2);
    return error;
  }
  double rms(const std::vector<double>& f) const {
    double sum = 0, weights = 0;
    for (std::size_t n = 0; n < num_examples(); ++n) {
      sum += w_[n] * f[n] * f[n];
      weights += w_[n];
    }
    return std::sqrt(sum / weights);
  }
  // The smallest over all columns and thresholds, with the weighted means on both sides.
  double least_error() const {
    double least = 1e300;
    const std::size_t num_columns = world_.dataset.column_names.size();
    for (std::size_t j = 0; j < num_columns; ++j)
      for (std::size_t n = 0; n < num_examples(); ++n)
        least = std::min(least, error_of(stump(j, value(n, j))));
    return std::min(least, error_of(stump(0, -1e30f)));
  }

 private:
  std::size_t num_examples() const { return world_.dataset.train.num_examples; }
  float value(std::size_t n, std::size_t column) const {
    return world_.dataset.train.values[n * world_.dataset.column_names.size() + column];
  }
  // A missing value is below; below everything there is no cut.
  bool is_above(std::size_t n, std::size_t column, float threshold) const {
    return threshold == -1e30f || value(n, column) >= threshold;
  }
  std::vector<double> stump(std::size_t column, float threshold) const {
    double sums[2] = {}, weights[2] = {};
    for (std::size_t n = 0; n < num_examples(); ++n) {
      sums[is_above(n, column, threshold)] += w_[n] * z_[n];
      weights[is_above(n, column, threshold)] += w_[n];
    }
    std::vector<double> f;
    for (std::size_t n = 0; n < num_examples(); ++n) {
      const bool above = is_above(n, column, threshold);
      f.push_back(sums[above] / weights[above]);
    }
    return f;
  }

  const World& world_;
  std::vector<double> w_, z_;
};

// Every round adds a stump of the smallest weighted squared error, which a search of all stumps tells; of
// three classes with the responses of before the first of them had its round. The columns have few values, so
// that each has a code of its own.
TEST(ClassicalLogitBoost, EachRoundIsTheBestRegressionStump) {
  for (const char* cuts : {"codes", "exact"})
    for (const std::size_t num_classes : {2u, 3u}) {
      World world(learnable_table(90, 5, num_classes, 7), 1, true);
      Training training = classical(25);
      training.weak = testing::WatchingLearner("stump", {{"cuts", cuts}});
      const TrainingResult result = training.run(world);
      const std::size_t num_problems = num_classes == 2 ? 1 : num_classes;
      ASSERT_EQ(hypotheses_of(result).size(), 25 * num_problems);
      for (std::size_t t = 0; t < hypotheses_of(result).size(); ++t) {
        const std::size_t l = num_classes == 2 ? 1 : t % num_problems;
        const auto before = sums_after(result, world, t), after = sums_after(result, world, t + 1);
        const double factor = num_classes == 2 ? 1 : 2.0 / 3;
        std::vector<double> f;
        for (std::size_t n = 0; n < 90; ++n)
          f.push_back((after[n * num_classes + l] - before[n * num_classes + l]) / factor);
        const PaperRound round(world, sums_after(result, world, t - t % num_problems), l);
        ASSERT_NEAR(round.error_of(f), round.least_error(), 1e-9) << cuts << " " << t;
        EXPECT_NEAR(training.events.rounds[t].edge, round.rms(f) / 4, 1e-9) << cuts << " " << t;
      }
    }
}

// Three classes, each behind a column of its own. At first p is 1/3: z is 3 where an example is of the class
// and -1.5 elsewhere, so that F moves by 2/3 of that, and all three move before any probability does.
TEST(ClassicalLogitBoost, OfMoreClassesProbabilitiesAddUpToOne) {
  World world(testing::table({1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 1, 2}, 3, {0, 0, 0}, {0}));
  Training training = classical(2);
  const TrainingResult result = training.run(world);
  ASSERT_EQ(hypotheses_of(result).size(), 6u);
  const auto first = sums_after(result, world, 3), second = sums_after(result, world, 6);
  const double p = 1 / (1 + 2 * std::exp(-3.0)), q = (1 - p) / 2;  // after that, of the own class and another
  for (std::size_t n = 0; n < 3; ++n)
    for (std::size_t l = 0; l < 3; ++l) {
      EXPECT_NEAR(first[3 * n + l], n == l ? 2 : -1, 1e-12) << n << l;
      EXPECT_NEAR(second[3 * n + l], n == l ? 2 + 2 / (3 * p) : -1 - 2 / (3 * (1 - q)), 1e-12) << n << l;
    }
  const auto& rounds = training.events.rounds;
  const double after_two =
      (2 * std::log(1 + std::exp(-2.0 - 1) + std::exp(-2.0)) + std::log(1 + 2 * std::exp(-1.0))) /
      3;  // the third class still has F = 0
  EXPECT_NEAR(rounds[1].train_loss_log10, std::log10(after_two / std::log(3.0)), 1e-12);
  EXPECT_NEAR(rounds[2].train_loss_log10, std::log10(-std::log(p) / std::log(3.0)), 1e-12);
}

// Divided by that of no classifier. It may rise: an example that is wrong by far is given a response of 4
// only, and little weight, while the slope of the loss would ask for more.
TEST(ClassicalLogitBoost, TellsTheLossOfAllClasses) {
  World world(learnable_table(100, 6, 3, 5));
  Training training = classical(10);
  const TrainingResult result = training.run(world);
  const auto sums = sums_after(result, world, 30);
  double loss = 0;
  for (std::size_t n = 0; n < 100; ++n)
    loss -= std::log(probability(std::span(sums).subspan(3 * n, 3), world.dataset.train.labels[n])) / 100;
  EXPECT_NEAR(training.events.rounds.back().train_loss_log10, std::log10(loss / std::log(3.0)), 1e-9);
}

TEST(ClassicalLogitBoost, ShrinkShortensEachStep) {
  World world(two_of_eight_wrong());
  Training training = classical(1, {{"shrink", "0.1"}});
  EXPECT_NEAR(hypotheses_of(training.run(world))[0].alpha, 0.1, 1e-12);
}

// Steps that grow ever smaller end neither as NaN nor as infinity.
TEST(ClassicalLogitBoost, SeparatesWhatCanBeSeparated) {
  World world(testing::table({0, 0, 1, 1}, {0, 0, 1, 1}, 2, {0, 1}, {0, 1}));
  Training training = classical(2000);
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.status, TrainingStatus::kSeparated);
  EXPECT_EQ(result.curve.back().train_error, 0);
  for (const Hypothesis& hypothesis : hypotheses_of(result)) ASSERT_TRUE(std::isfinite(hypothesis.alpha));
}

// Cut off after two of three classes: the third has the probabilities of before the first.
TEST(ClassicalLogitBoost, SameModelForAnyThreadsAndAfterAnInterruption) {
  World world(learnable_table(3000, 6, 3, 5)), three(learnable_table(3000, 6, 3, 5), 3);
  Training whole = classical(12), threads = classical(12), cut = classical(12);
  const TrainingResult expected = whole.run(world);
  EXPECT_EQ(threads.run(three).model, expected.model);
  const TrainingResult resumed = testing::run_with_an_interruption(cut, world, 17);
  EXPECT_EQ(resumed.model, expected.model);
  EXPECT_EQ(resumed.curve.back().train_loss_log10, expected.curve.back().train_loss_log10);
}

TEST(ClassicalLogitBoost, LeavesOutWhatItIsTold) {
  const std::vector<std::uint32_t> left_out{0, 3, 50, 99};
  World world(learnable_table(100, 6, 2, 5));
  Training training = classical(5);
  training.left_out = left_out;
  training.run(world);
  ASSERT_EQ(training.weak.weights.size(), 5u);
  for (const auto& weights : training.weak.weights) {
    ASSERT_EQ(weights.size(), 200u) << "a response and its weight for each example";
    for (const std::uint32_t n : left_out) EXPECT_EQ(weights[2 * n + 1], 0);
    EXPECT_NE(weights[3], 0);
  }
}

TEST(ClassicalLogitBoost, LossOfSoftmaxLeavesOutWhatItIsTold) {
  const std::vector<std::uint32_t> left_out{0, 3, 50, 99};
  World world(learnable_table(100, 6, 3, 5));
  Training training = classical(5);
  training.left_out = left_out;
  const auto sums = sums_after(training.run(world), world, 15);
  double loss = 0;
  for (std::uint32_t n = 0; n < 100; ++n)
    if (!std::ranges::binary_search(left_out, n))
      loss -= std::log(probability(std::span(sums).subspan(3 * n, 3), world.dataset.train.labels[n])) / 96;
  EXPECT_NEAR(training.events.rounds.back().train_loss_log10, std::log10(loss / std::log(3.0)), 1e-9);
}

// Ten classes that one column cannot tell apart: responses are held at 4 where they would be 10, so that the
// sums of all classes fall together in every turn, by 0.54, and the probabilities stay what they are.
TEST(ClassicalLogitBoost, SumsThatFallTogetherChangeNoProbability) {
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (std::uint16_t n = 0; n < 20; ++n) {
    values.push_back(float(n / 10));
    labels.push_back(n % 10);
  }
  World world(testing::table(values, labels, 10, {0}, {0}));
  Training training = classical(1400);
  const TrainingResult result = training.run(world);
  ASSERT_EQ(hypotheses_of(result).size(), 14000u);
  EXPECT_LT(sums_after(result, world, 14000)[0], -700);
  for (std::size_t t = 9; t < 14000; t += 10)
    ASSERT_NEAR(training.events.rounds[t].train_loss_log10, 0, 1e-9) << t;
}

TEST(ClassicalLogitBoost, RefusesWhatItCannotTrain) {
  for (const char* weak : {"product", "tree"}) {
    const testing::WatchingLearner votes(weak, {});
    const Status refused = classical(5).other_booster->check(votes);
    ASSERT_FALSE(refused.ok()) << weak;
    EXPECT_EQ(refused.error().kind, ErrorKind::kInput);
    EXPECT_THAT(refused.error().message, HasSubstr("booster logitboost.classical: found a weak learner"));
  }
  const auto rounded =
      testing::made_booster(make_classical_logitboost, "logitboost.classical", {{"scan", "i16"}});
  ASSERT_FALSE(rounded.ok());
  EXPECT_THAT(rounded.error().message, HasSubstr("unknown key 'scan'"));
}

}  // namespace
}  // namespace mash
