// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/stump_term.hpp"

#include <cmath>
#include <limits>

#include "tests/online/hypothesis_scores.hpp"

namespace mash {
namespace {

constexpr float kTermNan = std::numeric_limits<float>::quiet_NaN(),
                kTermInfinity = std::numeric_limits<float>::infinity();

Cut place(std::uint32_t feature) { return {feature / 10, feature % 10, 0}; }

TEST(StumpTerm, IsTheCoefficientTimesTheAnswer) {
  const StumpTerm term = stump_term({3, 0.5f, -1}, 2);
  EXPECT_EQ(term.feature, 3u);
  EXPECT_EQ(term.threshold, 0.5f);
  EXPECT_EQ(term.below, 2);
  EXPECT_EQ(term.above, -2);
}

TEST(AsHypotheses, AntisymmetricTermsAreStumps) {
  const std::vector<StumpTerm> terms{{23, 0.5f, 2, -2}};
  const auto hypotheses = as_hypotheses(terms, std::vector<double>{0, 1, 0}, place);
  ASSERT_EQ(hypotheses.size(), 1u);
  EXPECT_EQ(hypotheses[0].cuts, (std::vector<Cut>{{2, 3, 0.5f}}));
  EXPECT_EQ(hypotheses[0].alpha, 2);
  EXPECT_EQ(hypotheses[0].votes, (std::vector<double>{0, -1, 0}));
  EXPECT_FALSE(hypotheses[0].is_tree());
}

TEST(AsHypotheses, OtherTermsAreTreesOfOneCut) {
  const std::vector<StumpTerm> terms{{23, 0.5f, -0.25, -0.5}};
  const auto hypotheses = as_hypotheses(terms, std::vector<double>{-1, 1}, place);
  ASSERT_EQ(hypotheses.size(), 1u);
  EXPECT_TRUE(hypotheses[0].is_tree());
  EXPECT_EQ(hypotheses[0].alpha, 0.5);
  EXPECT_EQ(hypotheses[0].votes, (std::vector<double>{0.5, -0.5, 1, -1}));
}

TEST(AsHypotheses, TermsThatAlwaysHoldAreConstant) {
  const std::vector<StumpTerm> terms{{1, -kTermInfinity, 9, -0.5}, {1, -kTermInfinity, 9, 0}};
  const auto hypotheses = as_hypotheses(terms, std::vector<double>{1}, place);
  ASSERT_EQ(hypotheses.size(), 1u);
  EXPECT_TRUE(hypotheses[0].is_constant());
  EXPECT_EQ(hypotheses[0].alpha, 0.5);
  EXPECT_EQ(hypotheses[0].votes, (std::vector<double>{-1}));
}

TEST(AsHypotheses, TermsThatAreNothingAreLeftOut) {
  const std::vector<StumpTerm> terms{{1, 0.5f, 0, 0}, {2, 0.5f, -0.0, 0}};
  EXPECT_TRUE(as_hypotheses(terms, std::vector<double>{1}, place).empty());
  EXPECT_TRUE(as_hypotheses({}, std::vector<double>{1}, place).empty());
}

TEST(AsHypotheses, ScoresAreThoseOfTheTermsTimesTheVotes) {
  const std::vector<StumpTerm> terms{
      {0, 0.5f, 2, -2}, {1, -1, 0.3, 0.7}, {0, 0.25f, 0, 0.1}, {1, -kTermInfinity, 0, 0.4}};
  const std::vector<double> votes{-1, 0, 0.5};
  const auto hypotheses = as_hypotheses(terms, votes, [](std::uint32_t feature) {
    return Cut{0, feature, 0};
  });
  for (const std::vector<float>& x :
       std::vector<std::vector<float>>{{0, 0}, {0.3f, -2}, {1, -1}, {kTermNan, 5}, {0.5f, kTermNan}}) {
    double score = 0;
    for (const StumpTerm& term : terms)
      score += FeatureStump{term.feature, term.threshold, 1}.holds(x[term.feature]) ? term.above : term.below;
    const auto scores = testing::scores_of(hypotheses, votes.size(), x);
    for (std::size_t l = 0; l < votes.size(); ++l) EXPECT_NEAR(scores[l], score * votes[l], 1e-15);
  }
}

}  // namespace
}  // namespace mash
