// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/score_gains.hpp"

#include <limits>

#include "tests/budget/small_models.hpp"

namespace mash {
namespace {

TEST(ScoreGains, CatchUpIsTheMostThatACellGives) {
  StrongClassifier model = testing::model_on({equal_costs("f", 4, 1)}, 3);
  model.hypotheses = {testing::stump(0, 0, .5, {1, -1, -1}),
                      {2, {{0, 1, 0}}, {.1, .5, 0, .2, .3, 0}, {{-1, -2}}}};
  const ScoreGains gains(model);
  EXPECT_EQ(gains.num_classes(), 3u);
  EXPECT_EQ(gains.num_hypotheses(), 2u);
  EXPECT_THAT(gains.of(0, 0), ::testing::ElementsAre(-.5, .5, .5));
  EXPECT_THAT(gains.of(0, 1), ::testing::ElementsAre(.5, -.5, -.5));
  EXPECT_THAT(gains.catch_up(0), ::testing::ElementsAre(0, 1, 1, 1, 0, 0, 1, 0, 0))
      << "its votes are the same for the last two";
  EXPECT_NEAR(gains.catch_up(1)[1], .8, 1e-12);
  EXPECT_NEAR(gains.catch_up(1)[3], -.2, 1e-12) << "always for class 1";
  EXPECT_EQ(gains.reach(0), .5);
  EXPECT_EQ(gains.reach(1), 1);
  EXPECT_THROW((void)gains.of(0, 2), std::logic_error);
}

TEST(ScoreGains, ConstantLearnersHaveOneCell) {
  StrongClassifier model = testing::model_on({equal_costs("f", 1, 1)}, 2);
  model.hypotheses = {{.7, {{0, 0, -std::numeric_limits<float>::infinity()}}, {1, -1}, {}}};
  EXPECT_THAT(ScoreGains(model).catch_up(0), ::testing::ElementsAre(0, -1.4, 1.4, 0));
}

TEST(ScoreGains, TheLeadMustBeLargerThanWhatRemains) {
  const ScoreGains gains(testing::binary_model({.5, .5}));
  const std::vector<double> remaining{0, 1, 1, 0};
  EXPECT_EQ(gains.certain_class(std::vector<double>{.6, -.6}, remaining), 0u);
  EXPECT_EQ(gains.certain_class(std::vector<double>{-.6, .6}, remaining), 1u);
  EXPECT_EQ(gains.certain_class(std::vector<double>{.5, -.5}, remaining), std::nullopt);
  EXPECT_EQ(gains.certain_class(std::vector<double>{.5 + 1e-16, -.5}, remaining), std::nullopt);
  EXPECT_EQ(gains.certain_class(std::vector<double>{0, 0}, std::vector<double>(4)), std::nullopt);
}

TEST(ScoreGains, WantTwoClasses) { EXPECT_THROW(ScoreGains(testing::model_on({}, 1)), std::logic_error); }

}  // namespace
}  // namespace mash
