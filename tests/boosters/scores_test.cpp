// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/scores.hpp"

#include <algorithm>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {
namespace {

struct Hypothesis {
  std::vector<std::uint8_t> cells;
  std::vector<std::int8_t> votes;
  double alpha;
};

constexpr std::size_t kExamples = 2500, kClasses = 3;

std::vector<Hypothesis> random_hypotheses(std::size_t count) {
  RandomStream stream(1, "test.scores");
  std::vector<Hypothesis> list(count);
  for (Hypothesis& h : list) {
    h.cells.resize(kExamples);
    for (auto& cell : h.cells) cell = std::uint8_t(stream.below(4));
    h.votes.resize(4 * kClasses);
    for (auto& vote : h.votes) vote = stream.below(2) ? 1 : -1;
    h.alpha = stream.uniform();
  }
  return list;
}

TEST(Scores, AreTheSameBitsWheneverTheyAreSettled) {
  const auto hypotheses = random_hypotheses(200);  // more than are queued at once
  std::vector<double> expected(kExamples * kClasses);
  for (const Hypothesis& h : hypotheses)
    for (std::size_t i = 0; i < expected.size(); ++i)
      expected[i] += h.alpha * h.votes[h.cells[i / kClasses] * kClasses + i % kClasses];
  for (const int num_threads : {1, 2, 3, 8})
    for (const std::size_t every : {1, 7, 1000}) {
      const Workers workers(num_threads);
      Scores scores(kExamples, kClasses, workers);
      for (std::size_t t = 0; t < hypotheses.size(); ++t) {
        scores.add(hypotheses[t].cells, hypotheses[t].votes, hypotheses[t].alpha);
        if (t % every == 0) scores.settle();
      }
      scores.settle();
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), scores.all().begin()))
          << num_threads << ", " << every;
    }
}

TEST(Scores, ErrorCountsTheWrongClassesWithTiesToTheLowest) {
  const Workers workers(1);
  Scores scores(4, 2, workers);
  EXPECT_EQ(scores.error(std::vector<std::uint16_t>{0, 0, 1, 1}), 0.5) << "all scores are 0: class 0";
  scores.add({0, 1, 1, 1}, std::vector<std::int8_t>{1, -1, -1, 1}, 0.5);
  scores.settle();
  EXPECT_EQ(scores.error(std::vector<std::uint16_t>{0, 0, 1, 1}), 0.25);
  EXPECT_EQ(scores.row(0)[0], 0.5);
  EXPECT_EQ(scores.row(3)[0], -0.5);
}

TEST(Scores, NoExamplesHaveNoError) {
  const Workers workers(1);
  Scores scores(0, 3, workers);
  scores.add({}, std::vector<std::int8_t>(6, 1), 1);
  scores.settle();
  EXPECT_EQ(scores.error({}), 0);
}

}  // namespace
}  // namespace mash
