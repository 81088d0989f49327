// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/whole_side/searched_step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "classifiers/losses/logistic.hpp"
#include "classifiers/losses/savage.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

constexpr std::size_t kExamples = 5000, kClasses = 3;

// Twelve rounds of random stumps that are right more often than not, the first ones by far.
class SearchedStepTest : public ::testing::TestWithParam<const Loss*> {
 protected:
  SearchedStepTest()
      : workers_(2), stream_(1, "searched step"), labels_(random_labels()), weights_(labels_, kClasses) {
    initialise(InitialWeights::kBalanced, workers_, weights_);
    for (const double g : weights_.all()) initial_.push_back(g);
  }

  WeakHypothesis next_hypothesis() {
    WeakHypothesis hypothesis;
    hypothesis.votes = {1, -1, -1, -1, 1, -1, -1, -1, 1};  // a cell for each class
    const double right = std::max(0.45, 0.9 - 0.1 * num_rounds_++);
    for (const std::uint16_t label : labels_)
      hypothesis.cells.push_back(
          std::uint8_t(stream_.uniform(0, 1) < right ? label : (label + 1 + stream_.below(2)) % kClasses));
    return hypothesis;
  }

  // The sign and the vote of pair i = (example, class).
  double sign(std::size_t i) const { return labels_[i / kClasses] == i % kClasses ? 1 : -1; }
  double vote(const WeakHypothesis& hypothesis, std::size_t i) const {
    return hypothesis.votes[hypothesis.cells[i / kClasses] * kClasses + i % kClasses];
  }

  // The loss of scores + alpha times a hypothesis.
  double loss_at(const Scores& scores, const WeakHypothesis& hypothesis, double alpha) const {
    double sum = 0;
    std::vector<double> values(initial_.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = sign(i) * (scores.all()[i] + alpha * vote(hypothesis, i));
    GetParam()->values(values, values);
    for (std::size_t i = 0; i < values.size(); ++i) sum += std::abs(initial_[i]) * values[i];
    return sum;
  }

  Workers workers_;
  RandomStream stream_;
  std::vector<std::uint16_t> labels_;
  SignedWeights weights_;
  std::vector<double> initial_;

 private:
  std::vector<std::uint16_t> random_labels() {
    std::vector<std::uint16_t> labels(kExamples);
    for (auto& label : labels) label = std::uint16_t(stream_.below(kClasses));
    return labels;
  }

  int num_rounds_ = 0;
};

TEST_P(SearchedStepTest, ReachesTheMinimumOfEachRound) {
  const auto rule = make_searched_step_rule(*GetParam(), weights_, workers_);
  Scores scores(kExamples, kClasses, workers_);
  for (int round = 0; round < 12; ++round) {
    WeakHypothesis hypothesis = next_hypothesis();
    const double before = loss_at(scores, hypothesis, 0);
    const double change = rule->step(hypothesis, weights_, scores);
    const double alpha = hypothesis.model.alpha, after = loss_at(scores, hypothesis, alpha);
    ASSERT_GT(alpha, 0);
    EXPECT_NEAR(change, std::log10(after / before), 1e-12);
    for (const double factor : {0.5, 0.9, 0.99, 1.01, 1.1, 2.0})
      EXPECT_LE(after, loss_at(scores, hypothesis, factor * alpha) * (1 + 1e-6)) << round << " " << factor;
    scores.add(hypothesis.cells, hypothesis.votes, alpha);
    scores.settle();
  }
}

TEST_P(SearchedStepTest, LeavesTheWeightsOfTheMargins) {
  const auto rule = make_searched_step_rule(*GetParam(), weights_, workers_);
  Scores scores(kExamples, kClasses, workers_);
  WeakHypothesis hypothesis = next_hypothesis();
  rule->step(hypothesis, weights_, scores);
  std::vector<double> expected(initial_.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = sign(i) * hypothesis.model.alpha * vote(hypothesis, i);
  GetParam()->weights(expected, expected);
  double sum = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) sum += std::abs(expected[i] *= initial_[i]);
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(weights_.all()[i], expected[i] / sum, 1e-12 * std::abs(expected[i] / sum)) << i;
  EXPECT_NEAR(weights_.total(), 1, 1e-12);
  EXPECT_NEAR(weights_.example_weights()[7],
              std::abs(weights_.row(7)[0]) + std::abs(weights_.row(7)[1]) + std::abs(weights_.row(7)[2]),
              1e-18);
}

// As after a resume: scores and weights tell a rule all that it needs.
TEST_P(SearchedStepTest, ARuleMadeLaterGoesOnWithTheSameBits) {
  const SignedWeights first = weights_;
  const auto rule = make_searched_step_rule(*GetParam(), first, workers_);
  Scores scores(kExamples, kClasses, workers_);
  for (int round = 0; round < 6; ++round) {
    WeakHypothesis hypothesis = next_hypothesis(), again = hypothesis;
    SignedWeights weights_again = weights_;
    const double change = rule->step(hypothesis, weights_, scores);
    const double change_again =
        make_searched_step_rule(*GetParam(), first, Workers(1))->step(again, weights_again, scores);
    EXPECT_EQ(change, change_again);
    EXPECT_EQ(hypothesis.model.alpha, again.model.alpha);
    EXPECT_TRUE(std::ranges::equal(weights_.all(), weights_again.all()));
    scores.add(hypothesis.cells, hypothesis.votes, hypothesis.model.alpha);
  }
}

TEST_P(SearchedStepTest, AHypothesisThatIsWrongTooOftenGetsNothing) {
  const auto rule = make_searched_step_rule(*GetParam(), weights_, workers_);
  Scores scores(kExamples, kClasses, workers_);
  WeakHypothesis hypothesis = next_hypothesis();
  rule->step(hypothesis, weights_, scores);
  scores.add(hypothesis.cells, hypothesis.votes, hypothesis.model.alpha);
  const std::vector<double> weights(weights_.all().begin(), weights_.all().end());
  WeakHypothesis wrong = next_hypothesis();
  for (double& vote : wrong.votes) vote = -vote;
  EXPECT_EQ(rule->step(wrong, weights_, scores), 0);
  EXPECT_EQ(wrong.model.alpha, 0);
  EXPECT_TRUE(std::ranges::equal(weights_.all(), weights));
}

INSTANTIATE_TEST_SUITE_P(Losses, SearchedStepTest, ::testing::Values(&logistic_loss(), &savage_loss()));

}  // namespace
}  // namespace mash
