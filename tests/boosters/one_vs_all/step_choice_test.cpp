// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/step_choice.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "classifiers/losses/logistic.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using testing::learnable_table;
using testing::World;

// Three examples of two classes, at F = 0; a hypothesis says that the first is of the second class and the
// others are of the first.
struct StepChoices : ::testing::Test {
  StepChoices() {
    world.dataset.train.labels = {1, 0, 1};
    found.model = {0, {{0, 0, 1}}, {1}, {}};
    found.votes = {-1, 1};
    found.cells = {1, 0, 0};
    examples.examples = {0, 1, 2};
    examples.weights = {0.5, 0.25, 0.125};
    examples.sums = {0, 0, 0};
  }
  PlanGround ground(double shrink) { return {problems, logistic_loss(), context, 1, false, shrink}; }

  World world{learnable_table(3, 2, 2, 5)};
  const BinaryProblems problems{world.dataset.train, 2};
  Observer nobody;
  const TrainingContext context{.dataset = world.dataset,
                                .features = world.features(),
                                .work = world.work,
                                .observer = nobody,
                                .checkpoint = {},
                                .run_key = {}};
  WeakHypothesis found;
  RoundExamples examples;
};

TEST_F(StepChoices, ALineSearchMinimisesTheLossOnTheExamplesOfTheRound) {
  const auto steps = make_line_search(ground(0.5));
  EXPECT_THAT(steps->rows(0, examples), ElementsAre(0.5, -0.25, 0.125));
  // Right on two and wrong on one: e^alpha is 2.
  const Step step = steps->choose(0, examples, found, 1);
  EXPECT_NEAR(step.alpha, 0.5 * std::log(2.0), 1e-9);
  EXPECT_NEAR(step.before, 1, 1e-12) << "the logistic loss has the base 2";
  const double root = std::sqrt(2.0);
  EXPECT_NEAR(step.after, (2 * std::log2(1 + 1 / root) + std::log2(1 + root)) / 3, 1e-9);
  EXPECT_EQ(step.num_asked, 0u);
}

TEST_F(StepChoices, ALineSearchOnOtherExamplesEvaluatesTheHypothesisThere) {
  const std::vector<std::uint32_t> others{0, 1};
  const std::vector<double> sums(2), counts{1, 0};
  const std::vector<std::uint8_t> cells{0, 0};
  const auto find = [&](std::size_t, const Hypothesis& hypothesis) {
    EXPECT_EQ(hypothesis.alpha, 1);
    return StepExamples{others, sums, counts, cells};
  };
  const Step step = make_line_search(ground(1), find)->choose(0, examples, found, 1);
  EXPECT_EQ(step.alpha, 0) << "it is wrong on the only one that counts";
  EXPECT_EQ(step.num_asked, 2u);
}

TEST_F(StepChoices, NewtonStepsAreAsLongAsTheLargestVote) {
  found.model.votes = {-0.5};
  found.votes = {0.5, -0.5};
  const auto steps = make_newton_steps(ground(0.5));
  const Step step = steps->choose(0, examples, found, 1);
  EXPECT_DOUBLE_EQ(step.alpha, 0.25);
  EXPECT_THAT(found.model.votes, ElementsAre(-1));
  EXPECT_THAT(found.votes, ElementsAre(1, -1));
  found.model.votes = {0};
  found.votes = {0, 0};
  EXPECT_EQ(steps->choose(0, examples, found, 1).alpha, 0);
}

TEST_F(StepChoices, ChangeTheLossOfAllProblemsTogether) {
  std::vector<double> losses{1, 1};
  const double change =
      make_line_search(ground(1))->settle(1, {.alpha = 1, .before = 0.5, .after = 0.25}, losses);
  EXPECT_NEAR(change, std::log10(1.25 / 1.5), 1e-12);
  EXPECT_THAT(losses, ElementsAre(1, 0.25));
}

}  // namespace
}  // namespace mash
