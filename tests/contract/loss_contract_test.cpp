// SPDX-License-Identifier: Apache-2.0
// Promises of every row of the table of losses, alone and in training.
#include <cmath>
#include <string>
#include <vector>

#include "classifiers/builtin.hpp"
#include "classifiers/losses/step_search.hpp"
#include "tests/contract/run_comparison.hpp"
#include "tests/losses/one_margin.hpp"
#include "tests/support/training.hpp"

namespace mash {

// A row in messages of tests.
static void PrintTo(const LossRow& row, std::ostream* out) { *out << row.name; }

namespace {

using testing::curvature_at;
using testing::fingerprint;
using testing::hypotheses_of;
using testing::scores_on_values;
using testing::Training;
using testing::value_at;
using testing::weight_at;
using testing::World;

class LossTableRow : public ::testing::TestWithParam<LossRow> {
 protected:
  const Loss& loss() const { return GetParam().loss(); }

  static constexpr std::uint32_t kRounds = 80;
  static constexpr std::size_t kClasses = 4;
  // The first of the margins at which slopes are measured. None of them is round, as kinks of a loss may be.
  static constexpr double kFirstMargin = -6.06;

  Training training() const {
    Training result;
    result.booster.num_rounds = kRounds;
    result.booster.loss = &loss();
    result.booster.init = InitialWeights::kBalanced;
    return result;
  }
  std::string run(Training training, int num_threads = 1) {
    const Workers workers(num_threads);
    const TrainingResult result = training.run(world.dataset, world.features(), workers);
    return fingerprint(result, training.events);
  }
  // y of the pair i of example and class.
  double sign_of(std::size_t i) const {
    return world.dataset.train.labels[i / kClasses] == i % kClasses ? 1 : -1;
  }

  World world{testing::learnable_table(300, 9, kClasses, 3)};
};

TEST_P(LossTableRow, SaysWhatItIs) { EXPECT_GT(GetParam().summary.size(), 10u); }

TEST_P(LossTableRow, IsOneAtNoMarginAndNeverRises) {
  EXPECT_NEAR(value_at(loss(), 0), 1, 1e-15);
  double before = value_at(loss(), -20);
  for (double margin = -19.9; margin <= 20; margin += 0.1) {
    const double value = value_at(loss(), margin);
    EXPECT_LE(value, before * (1 + 1e-14)) << margin;
    EXPECT_GE(value, 0);
    before = value;
  }
}

TEST_P(LossTableRow, WeightIsItsNegativeSlopeUpToAFactor) {
  constexpr double kStep = 1e-5;
  const auto slope = [&](double margin) {
    return (value_at(loss(), margin + kStep) - value_at(loss(), margin - kStep)) / (2 * kStep);
  };
  const double factor = weight_at(loss(), 0) / -slope(0);
  EXPECT_GT(factor, 0);
  for (double margin = kFirstMargin; margin <= 6; margin += 0.25) {
    const double weight = weight_at(loss(), margin);
    EXPECT_GE(weight, 0);
    EXPECT_NEAR(-slope(margin) * factor, weight, 1e-7 * (1 + weight)) << margin;
  }
}

TEST_P(LossTableRow, CurvatureIsTheNegativeSlopeOfTheWeight) {
  constexpr double kStep = 1e-5;
  for (double margin = kFirstMargin; margin <= 6; margin += 0.25) {
    const double slope =
        (weight_at(loss(), margin + kStep) - weight_at(loss(), margin - kStep)) / (2 * kStep);
    EXPECT_NEAR(-slope, curvature_at(loss(), margin), 1e-7 * (1 + std::abs(slope))) << margin;
  }
}

// Training asks for the numbers of many pairs at once, some in the place of the margins.
TEST_P(LossTableRow, NumbersOfManyMarginsAreThoseOfEachAloneAlsoInTheirPlace) {
  std::vector<double> margins;
  for (double margin = -9; margin <= 9; margin += 0.37) margins.push_back(margin);
  using Function = void (Loss::*)(std::span<const double>, std::span<double>) const;
  for (const Function function : {&Loss::values, &Loss::weights, &Loss::curvatures}) {
    std::vector<double> expected, out(margins.size()), in_place = margins;
    for (const double margin : margins) (loss().*function)({&margin, 1}, {&expected.emplace_back(), 1});
    (loss().*function)(margins, out);
    (loss().*function)(in_place, in_place);
    EXPECT_EQ(out, expected);
    EXPECT_EQ(in_place, expected);
    (loss().*function)({}, {});
    EXPECT_THROW((loss().*function)(margins, std::span(out).first(3)), std::logic_error);
  }
}

TEST_P(LossTableRow, IsFiniteForAnyMargin) {
  for (const double margin : {-1e300, -1e4, -700.0, 700.0, 1e4, 1e300}) {
    EXPECT_TRUE(std::isfinite(value_at(loss(), margin))) << margin;
    EXPECT_TRUE(std::isfinite(weight_at(loss(), margin))) << margin;
    EXPECT_TRUE(std::isfinite(curvature_at(loss(), margin))) << margin;
    EXPECT_GE(weight_at(loss(), margin), 0) << margin;
  }
}

TEST_P(LossTableRow, TrainingNeverRaisesIt) {
  Training one = training();
  one.run(world);
  double before = 0;
  for (const RoundEvent& event : one.events.rounds) {
    EXPECT_LE(event.train_loss_log10, before + 1e-12) << event.round;
    before = event.train_loss_log10;
  }
  EXPECT_LT(before, -0.05);
}

TEST_P(LossTableRow, LoggedLossIsThatOfTheModel) {
  Training one = training();
  const TrainingResult result = one.run(world);
  const std::vector<double>& initial = one.weak.weights[0];
  for (const std::uint32_t round : {1u, 2u, 50u, 51u, 80u}) {
    const auto scores = scores_on_values(result.model, world.dataset, world.dataset.train, round);
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
      sum += std::abs(initial[i]) * value_at(loss(), sign_of(i) * scores[i]);
    EXPECT_NEAR(one.events.rounds[round - 1].train_loss_log10, std::log10(sum), 1e-9);
  }
}

TEST_P(LossTableRow, WeightsInTrainingAreThoseOfTheMargins) {
  Training one = training();
  const TrainingResult result = one.run(world);
  for (const std::uint32_t round : {2u, 41u, 80u}) {
    const auto scores = scores_on_values(result.model, world.dataset, world.dataset.train, round - 1);
    std::vector<double> expected;
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double size = std::abs(one.weak.weights[0][i]) * weight_at(loss(), sign_of(i) * scores[i]);
      expected.push_back(sign_of(i) * size);
      sum += size;
    }
    for (std::size_t i = 0; i < scores.size(); ++i)
      ASSERT_NEAR(one.weak.weights[round - 1][i], expected[i] / sum, 1e-11) << round;
  }
}

// After a step nothing is left to gain along the same hypothesis; where it was searched, next to nothing.
TEST_P(LossTableRow, LastLearnerHasNoEdgeAfterItsRound) {
  Training one = training();
  const TrainingResult result = one.run(world);
  const std::size_t num_columns = world.dataset.column_names.size();
  const auto edge = [&](const Hypothesis& stump, const std::vector<double>& weights) {
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const float x = world.dataset.train.values[i / kClasses * num_columns + stump.cuts[0].feature_idx];
      sum += weights[i] * stump.votes[i % kClasses] * (stump.cuts[0].holds(x) ? 1 : -1);
    }
    return sum;
  };
  for (std::size_t round = 1; round < kRounds; ++round) {
    const Hypothesis& stump = hypotheses_of(result)[round - 1];
    const double before = edge(stump, one.weak.weights[round - 1]);
    const double most = loss().has_closed_step() ? 1e-7 : 2 * StepSearch::kTolerance * before;
    EXPECT_NEAR(edge(stump, one.weak.weights[round]), 0, most) << round;
  }
}

TEST_P(LossTableRow, SameModelForAnyNumberOfThreadsAndAfterAnInterruption) {
  const std::string expected = run(training());
  EXPECT_EQ(run(training(), 3), expected);
  for (const std::uint32_t stop_after : {1u, 49u}) {
    Training stopped = training(), resumed = training();
    stopped.checkpoint = resumed.checkpoint =
        world.folder / fmt::format("{}-{}.ckpt", GetParam().name, stop_after);
    stopped.stop_after = stop_after;
    EXPECT_NE(run(stopped), expected);
    EXPECT_EQ(run(resumed, 3), expected) << "after round " << stop_after;
  }
}

// Where every example comes to lie on the right side by as much as you like.
TEST_P(LossTableRow, SeparatedDataLeaveFiniteNumbers) {
  World small(testing::table({0, 0, 1, 1, 2, 2}, {0, 0, 1, 1, 1, 1}, 2));
  Training one = training();
  one.booster.num_rounds = 1000;
  const TrainingResult result = one.run(small);
  EXPECT_EQ(result.curve.back().train_error, 0);
  for (const RoundEvent& event : one.events.rounds)
    ASSERT_TRUE(std::isfinite(event.alpha) && std::isfinite(event.train_loss_log10)) << event.round;
  for (const auto& weights : one.weak.weights)
    for (const double weight : weights) ASSERT_TRUE(std::isfinite(weight));
}

TEST_P(LossTableRow, AClosedStepIsTheBest) {
  if (!loss().has_closed_step()) {
    EXPECT_THROW(loss().closed_step(0.5, 10), std::logic_error);
    return;
  }
  for (const double edge : {0.05, 0.3, 0.9}) {
    const ClosedStep step = loss().closed_step(edge, 1000);
    const auto loss_at = [&](double alpha) {
      return (1 + edge) / 2 * value_at(loss(), alpha) + (1 - edge) / 2 * value_at(loss(), -alpha);
    };
    EXPECT_NEAR(step.loss_factor, loss_at(step.alpha), 1e-12);
    for (const double change : {-1e-3, 1e-3}) EXPECT_LT(loss_at(step.alpha), loss_at(step.alpha + change));
    EXPECT_NEAR(step.right, weight_at(loss(), step.alpha) / step.loss_factor, 1e-12);
    EXPECT_NEAR(step.wrong, weight_at(loss(), -step.alpha) / step.loss_factor, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, LossTableRow, ::testing::ValuesIn(builtin_losses()), [](const auto& info) {
  return testing::test_name({std::string(info.param.name), info.index});
});

}  // namespace
}  // namespace mash
