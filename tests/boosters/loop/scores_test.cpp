// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/scores.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {
namespace {

struct Hypothesis {
  std::vector<std::uint8_t> cells;
  std::vector<double> votes;
  double alpha;
};

constexpr std::size_t kExamples = 2500;

std::vector<Hypothesis> random_hypotheses(std::size_t count, std::size_t num_classes) {
  RandomStream stream(1, "test.scores");
  std::vector<Hypothesis> list(count);
  for (Hypothesis& h : list) {
    h.cells.resize(kExamples);
    for (auto& cell : h.cells) cell = std::uint8_t(stream.below(4));
    h.votes.resize(4 * num_classes);
    for (auto& vote : h.votes) vote = stream.below(2) ? 1 : -1;
    h.alpha = stream.uniform();
  }
  return list;
}

std::vector<double> expected_scores(const std::vector<Hypothesis>& hypotheses, std::size_t num_classes) {
  std::vector<double> expected(kExamples * num_classes);
  for (const Hypothesis& h : hypotheses)
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] += h.alpha * h.votes[h.cells[i / num_classes] * num_classes + i % num_classes];
  return expected;
}

void expect_equal(const std::vector<double>& expected, const std::vector<Hypothesis>& hypotheses,
                  std::size_t num_classes, int num_threads, std::size_t settled_every) {
  const Workers workers(num_threads);
  Scores scores(kExamples, num_classes, workers);
  for (std::size_t t = 0; t < hypotheses.size(); ++t) {
    scores.add(hypotheses[t].cells, hypotheses[t].votes, hypotheses[t].alpha);
    if (t % settled_every == 0) scores.settle();
  }
  scores.settle();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), scores.all().begin()))
      << num_threads << ", " << settled_every;
}

TEST(Scores, AreTheSameBitsWheneverTheyAreSettled) {
  const auto hypotheses = random_hypotheses(200, 3);  // more than are queued at once
  const auto expected = expected_scores(hypotheses, 3);
  for (const int num_threads : {1, 2, 3, 8})
    for (const std::size_t every : {1, 7, 1000}) expect_equal(expected, hypotheses, 3, num_threads, every);
}

class ScoresOfClasses : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ScoresOfClasses, AreTheSameBitsOnEachInstructionSet) {
  const auto hypotheses = random_hypotheses(20, GetParam());
  const auto expected = expected_scores(hypotheses, GetParam());
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    expect_equal(expected, hypotheses, GetParam(), 2, 13);
    hwy::SetSupportedTargetsForTest(0);
  }
}
INSTANTIATE_TEST_SUITE_P(Classes, ScoresOfClasses,
                         ::testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 101));

TEST(Scores, ErrorCountsTheWrongClassesWithTiesToTheLowest) {
  const Workers workers(1);
  Scores scores(4, 2, workers);
  EXPECT_EQ(scores.error(std::vector<std::uint16_t>{0, 0, 1, 1}), 0.5) << "all scores are 0: class 0";
  scores.add({0, 1, 1, 1}, std::vector<double>{1, -1, -1, 1}, 0.5);
  scores.settle();
  EXPECT_EQ(scores.error(std::vector<std::uint16_t>{0, 0, 1, 1}), 0.25);
  EXPECT_EQ(scores.row(0)[0], 0.5);
  EXPECT_EQ(scores.row(3)[0], -0.5);
}

TEST(Scores, NoExamplesHaveNoError) {
  const Workers workers(1);
  Scores scores(0, 3, workers);
  scores.add({}, std::vector<double>(6, 1), 1);
  scores.settle();
  EXPECT_EQ(scores.error({}), 0);
}

}  // namespace
}  // namespace mash
