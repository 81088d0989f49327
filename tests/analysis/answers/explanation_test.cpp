// SPDX-License-Identifier: Apache-2.0
// Votes that are worked out by hand. tests/contract asserts of the models of every learner that they add up.
#include "framework/analysis/answers/explanation.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

namespace mash {
namespace {

using ::testing::ElementsAre;

constexpr float kConstant = -std::numeric_limits<float>::infinity();
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

// Two families of two features each; values stand in the order a0, a1, b0, b1.
StrongClassifier empty_sum(std::size_t num_classes = 2) {
  StrongClassifier model;
  for (std::size_t l = 0; l < num_classes; ++l) model.class_names.push_back(std::to_string(l));
  model.families = {{"a", "a", "1.0.0", {}, 2}, {"b", "b", "1.0.0", {}, 2}};
  return model;
}

TEST(Explanation, StumpsVoteForTheirFeatureAndConstantsForNone) {
  StrongClassifier model = empty_sum();
  model.hypotheses = {{0.5, {{0, 0, 1.f}}, {1, -1}, {}},
                      {0.25, {{1, 1, 1.f}}, {1, -1}, {}},
                      {0.125, {{0, 1, kConstant}}, {1, 1}, {}}};
  const std::vector<float> values{2, 0};  // a0 and b1: nothing else is asked for
  const Explanation explanation = explain(model, values);
  EXPECT_THAT(explanation.scores, ElementsAre(0.5 - 0.25 + 0.125, -0.5 + 0.25 + 0.125));
  EXPECT_THAT(explanation.constant, ElementsAre(0.125, 0.125));
  ASSERT_EQ(explanation.features.size(), 2u);
  EXPECT_EQ(explanation.features[1].family_idx, 1u);
  EXPECT_EQ(explanation.features[1].feature_idx, 1u);
  EXPECT_THAT(explanation.features[1].votes, ElementsAre(-0.25, 0.25));
  EXPECT_THAT(explanation.families, ElementsAre(ElementsAre(0.5, -0.5), ElementsAre(-0.25, 0.25)));
  EXPECT_EQ(explanation.predicted, 0u);
  EXPECT_EQ(explanation.rival, 1u);
}

TEST(Explanation, CutsOfAProductShareItsVote) {
  StrongClassifier model = empty_sum();
  model.hypotheses = {{1, {{0, 0, 1.f}, {1, 0, 1.f}}, {1, -1}, {}}};
  const Explanation explanation = explain(model, std::vector<float>{2, 0});  // one holds: -v
  EXPECT_THAT(explanation.scores, ElementsAre(-1, 1));
  EXPECT_THAT(explanation.families, ElementsAre(ElementsAre(-0.5, 0.5), ElementsAre(-0.5, 0.5)));
}

TEST(Explanation, OfATreeOnlyThePathVotes) {
  StrongClassifier model = empty_sum();
  // a0 below: leaf 0; else b0, below: leaf 1, else leaf 2.
  model.hypotheses = {{2, {{0, 0, 1.f}, {1, 0, 1.f}}, {1, -1, 3, 0, 0, 3}, {{-1, 1}, {-2, -3}}}};
  const Explanation short_path = explain(model, std::vector<float>{0, 5});
  EXPECT_THAT(short_path.families, ElementsAre(ElementsAre(2, -2), ElementsAre(0, 0)));
  const Explanation long_path = explain(model, std::vector<float>{5, kMissing});
  EXPECT_THAT(long_path.scores, ElementsAre(6, 0));
  EXPECT_THAT(long_path.families, ElementsAre(ElementsAre(3, 0), ElementsAre(3, 0)));
}

TEST(Explanation, InputsVoteWithTheirCoefficients) {
  LinearModel model;
  model.class_names = {"0", "1"};
  model.families = {{"a", "a", "1.0.0", {}, 2}, {"b", "b", "1.0.0", {}, 2}};
  model.inputs = {{0, 1, {1, 2, 3}, 0}, {1, 0, {}, 7}};
  model.intercepts = {0.5, -0.5};
  model.coefficients = {2, -2, 1, 0};
  model.largest_score = 10;
  const Explanation explanation = explain(model, std::vector<float>{2.5f, kMissing});
  EXPECT_THAT(explanation.scores, ElementsAre(0.5 + 4 + 7, -0.5 - 4));
  EXPECT_THAT(explanation.constant, ElementsAre(0.5, -0.5));
  EXPECT_THAT(explanation.families, ElementsAre(ElementsAre(4, -4), ElementsAre(7, 0)));
  EXPECT_FALSE(explanation.family_change) << "a linear model has no hypotheses";
}

GaussianModel two_densities() {
  GaussianModel model;
  model.class_names = {"0", "1"};
  model.families = {{"a", "a", "1.0.0", {}, 1}};
  model.inputs = {{0, 0, {}, 2}};
  model.priors = {0.5, 0.5};
  model.means = {2, 6};
  model.variances = {1, 4};
  model.largest_score = 10;
  return model;
}

TEST(Explanation, InputsOfNaiveBayesVoteWithTheirLogDensities) {
  const GaussianModel model = two_densities();
  const Explanation explanation = explain(model, std::vector<float>{3});
  EXPECT_EQ(explanation.predicted, 0u);
  for (std::size_t l = 0; l < 2; ++l) {
    EXPECT_NEAR(explanation.constant[l] + explanation.families[0][l], explanation.scores[l], 1e-12);
    EXPECT_EQ(explanation.constant[l], std::log(0.5));
  }
  EXPECT_FALSE(explanation.family_change);
}

// A question to a, and one to b where it does not hold.
TreeModel small_tree() {
  TreeModel model;
  model.class_names = {"0", "1"};
  model.families = {{"a", "a", "1.0.0", {}, 1}, {"b", "b", "1.0.0", {}, 1}};
  model.inputs = {{0, 0, {}, 0}, {1, 0, {10, 20, 30}, 0}};
  model.steps = {{0, 5, 1, 2}, {1, 1.5f, 3, 4}, {}, {}, {}};
  model.shares = {0.5, 0.5, 0.75, 0.25, 0, 1, 1, 0, 0.25, 0.75};
  model.largest_score = 1;
  return model;
}

TEST(Explanation, QuestionsOfATreeVoteWithWhatTheyAdd) {
  const Explanation explanation = explain(small_tree(), std::vector<float>{1, 25});  // the code of b is 2
  EXPECT_THAT(explanation.scores, ElementsAre(0.25, 0.75));
  EXPECT_THAT(explanation.constant, ElementsAre(0.5, 0.5));
  EXPECT_THAT(explanation.families, ElementsAre(ElementsAre(0.25, -0.25), ElementsAre(-0.5, 0.5)));
  EXPECT_EQ(explanation.predicted, 1u);
}

TEST(Changes, OfATreeCrossTheFewestThresholds) {
  const Explanation explanation = explain(small_tree(), std::vector<float>{1, 25});
  ASSERT_TRUE(explanation.feature_change);  // b below 20, where its code is 1
  EXPECT_EQ(explanation.feature_change->family_idx, 1u);
  EXPECT_EQ(explanation.feature_change->bound, 20);
  EXPECT_FALSE(explanation.feature_change->must_rise);
  EXPECT_EQ(explain(small_tree(), std::vector<float>{1, 19}).predicted, 0u);
  const Explanation above = explain(small_tree(), std::vector<float>{6, 5});
  ASSERT_TRUE(above.feature_change);
  EXPECT_EQ(above.feature_change->family_idx, 0u);
  EXPECT_EQ(above.feature_change->bound, 5);
  TreeModel leaf = small_tree();
  leaf.steps = {{}};
  leaf.shares = {0.5, 0.5};
  EXPECT_FALSE(explain(leaf, std::vector<float>{1, 25}).feature_change);
}

TEST(Explanation, OfAModelWithoutFeaturesIsItsConstantPart) {
  LinearModel model;
  model.class_names = {"0", "1", "2"};
  model.intercepts = {0.2, 0.5, 0.3};
  model.largest_score = 1;
  const Explanation explanation = explain(model, {});
  EXPECT_THAT(explanation.constant, ElementsAre(0.2, 0.5, 0.3));
  EXPECT_TRUE(explanation.features.empty());
  EXPECT_EQ(explanation.predicted, 1u);
  EXPECT_EQ(explanation.rival, 2u);
  EXPECT_FALSE(explanation.feature_change);
}

TEST(Changes, TheFamilyWithTheFewestVotesToChange) {
  StrongClassifier model = empty_sum();
  // a leads by 2 x (1 + 1), b is against it by 2 x 0.25: the lead is 3.5. Two of a's votes must turn, and
  // with only one of them the lead is still there; b's cannot turn it.
  model.hypotheses = {
      {1, {{0, 0, 1.f}}, {1, -1}, {}}, {1, {{0, 1, 1.f}}, {1, -1}, {}}, {0.25, {{1, 0, 1.f}}, {1, -1}, {}}};
  const Explanation explanation = explain(model, std::vector<float>{1, 1, 0});
  ASSERT_TRUE(explanation.family_change);
  EXPECT_EQ(explanation.family_change->family_idx, 0u);
  EXPECT_EQ(explanation.family_change->num_changed, 1u) << "one turn takes 4 of the lead of 3.5";
  EXPECT_EQ(explanation.family_change->num_votes, 2u);
  EXPECT_EQ(explanation.family_change->class_idx, 1u);
}

TEST(Changes, OfATreeAreTheLeavesThatItsFamilyCanReach) {
  StrongClassifier model = empty_sum(3);
  // a0 below: leaf 0, for class 0; else b0, below: leaf 1 for class 1, else leaf 2 for class 2.
  model.hypotheses = {{1, {{0, 0, 1.f}, {1, 0, 1.f}}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {{-1, 1}, {-2, -3}}}};
  const Explanation explanation = explain(model, std::vector<float>{0, 5});
  ASSERT_TRUE(explanation.family_change);
  EXPECT_EQ(explanation.family_change->family_idx, 0u) << "b is not asked where a0 is below";
  EXPECT_EQ(explanation.family_change->class_idx, 2u) << "as b0 answers now";
}

TEST(Changes, TheFeatureThatCrossesTheFewestThresholds) {
  StrongClassifier model = empty_sum();
  // a0 has the thresholds 1, 2, 3, each worth 2 x 1; b0 has 10, worth 2 x 0.4. The lead of class 0 is 3 -
  // 0.8.
  model.hypotheses = {{0.5, {{0, 0, 1.f}}, {1, -1}, {}},
                      {0.5, {{0, 0, 2.f}}, {1, -1}, {}},
                      {0.5, {{0, 0, 3.f}}, {1, -1}, {}},
                      {0.4, {{1, 0, 10.f}}, {1, -1}, {}}};
  const std::vector<float> values{3.5f, 5};
  const Explanation explanation = explain(model, values);
  ASSERT_TRUE(explanation.feature_change);
  const FeatureChange& change = *explanation.feature_change;
  EXPECT_EQ(change.family_idx, 0u);
  EXPECT_EQ(change.num_steps, 2u) << "below 3 the lead is 0.2, below 2 it is gone";
  EXPECT_EQ(change.bound, 2.f);
  EXPECT_FALSE(change.must_rise);
  EXPECT_EQ(change.class_idx, 1u);
  // The scorer agrees: just below the bound the class is the other one, at the bound it is not.
  const auto class_with = [&](float value) {
    return explain(model, std::vector<float>{value, values[1]}).predicted;
  };
  EXPECT_EQ(class_with(2.f), 0u);
  EXPECT_EQ(class_with(1.99f), 1u);
}

TEST(Changes, AMissingValueHasToRise) {
  StrongClassifier model = empty_sum();
  model.hypotheses = {{1, {{0, 0, 4.f}}, {1, -1}, {}}};
  const Explanation explanation = explain(model, std::vector<float>{kMissing});
  ASSERT_TRUE(explanation.feature_change);
  EXPECT_TRUE(explanation.feature_change->must_rise);
  EXPECT_EQ(explanation.feature_change->bound, 4.f);
}

TEST(Changes, OfInputsFollowTheirCoefficients) {
  LinearModel model;
  model.class_names = {"0", "1"};
  model.families = {{"a", "a", "1.0.0", {}, 1}};
  model.inputs = {{0, 0, {1, 2, 3, 4}, 0}};
  model.intercepts = {0, 2.5};
  model.coefficients = {1, 0};
  model.largest_score = 4;
  // The code is 4: 4 against 2.5. With a code of 2 it is 2 against 2.5: below the third threshold.
  const Explanation of_code = explain(model, std::vector<float>{9});
  ASSERT_TRUE(of_code.feature_change);
  EXPECT_EQ(of_code.feature_change->num_steps, 2u);
  EXPECT_EQ(of_code.feature_change->bound, 3.f);
  EXPECT_FALSE(of_code.feature_change->must_rise);

  model.inputs[0].thresholds.clear();
  const Explanation of_value = explain(model, std::vector<float>{9});
  ASSERT_TRUE(of_value.feature_change);
  EXPECT_EQ(of_value.feature_change->num_steps, 0u);
  EXPECT_THAT(of_value.feature_change->bound, ::testing::FloatNear(2.5f, 1e-4f));
  EXPECT_EQ(explain(model, std::vector<float>{of_value.feature_change->bound}).predicted, 1u);

  model.coefficients = {0, 0};
  EXPECT_FALSE(explain(model, std::vector<float>{9}).feature_change) << "nothing depends on it";
}

// (x - 2)^2 / 2 + ln 1 = (x - 6)^2 / 8 + ln 2 where 3 x^2 - 4 x - 20 - 8 ln 2 = 0: at 3.660 and -2.327.
TEST(Changes, OfNaiveBayesGoToTheNearestPlaceWhereClassesAreLevel) {
  GaussianModel model = two_densities();
  const double root = std::sqrt(16 + 12 * (20 + 8 * std::log(2.0)));
  for (const auto& [value, level] : {std::pair(3.0, (4 + root) / 6), std::pair(-2.0, (4 - root) / 6)}) {
    const Explanation explanation = explain(model, std::vector<float>{float(value)});
    ASSERT_EQ(explanation.predicted, 0u);
    ASSERT_TRUE(explanation.feature_change);
    EXPECT_NEAR(explanation.feature_change->bound, level, 1e-4);
    EXPECT_EQ(explanation.feature_change->must_rise, level > value);
    EXPECT_EQ(explain(model, std::vector<float>{explanation.feature_change->bound}).predicted, 1u);
  }
  model.inputs[0].thresholds = {1, 2, 3, 4, 5, 6};  // codes 0 to 6; from 4 on it is the other class
  const Explanation of_code = explain(model, std::vector<float>{2.5f});
  ASSERT_TRUE(of_code.feature_change);
  EXPECT_EQ(of_code.feature_change->num_steps, 2u);
  EXPECT_EQ(of_code.feature_change->bound, 4.f);
  EXPECT_TRUE(of_code.feature_change->must_rise);
}

}  // namespace
}  // namespace mash
