// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/c45.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/baselines/trained.hpp"

namespace mash {
namespace {

using testing::trained;
using testing::World;

TEST(C45Learner, ScoresAreTheSharesOfItsLeaves) {
  const World world(testing::table({1, 2, 4, 7, 8}, {0, 0, 1, 1, 0}, 2, {0, 5}, {0, 1}), 1, true);
  const TrainingResult result = trained(make_c45, world, {{"inputs", "values"}, {"confidence", "1"}});
  const auto& model = *result.model.as<TreeModel>();
  ASSERT_EQ(model.steps.size(), 3u);
  EXPECT_EQ(model.steps[0].threshold, 3);
  EXPECT_EQ(result.test_scores, (std::vector<double>{1, 0, 1.0 / 3, 2.0 / 3}));
  EXPECT_EQ(model.shares[0], 0.6);
  EXPECT_TRUE(result.model.has_votes());
  EXPECT_FALSE(result.model.has_softmax());
}

TEST(C45Learner, HasTheInputsThatItsQuestionsAsk) {
  const World world(testing::learnable_table(400, 20, 3, 1), 1, true);
  const TrainingResult result = trained(make_c45, world, {});
  const auto& model = *result.model.as<TreeModel>();
  std::vector<bool> asked(model.inputs.size());
  for (const TreeStep& step : model.steps)
    if (!step.is_leaf()) asked[step.input] = true;
  EXPECT_THAT(asked, ::testing::Each(true));
  EXPECT_LT(result.curve[0].test_error, 0.5);
  EXPECT_LT(result.curve[0].train_error, result.curve[0].test_error);
}

TEST(C45Learner, MissingValuesCountAsTheMean) {
  constexpr float kNo = std::numeric_limits<float>::quiet_NaN();
  const World world(testing::table({0, 0, 4, 4, kNo, 4}, {0, 0, 1, 1, 1, 1}, 2, {kNo, 2.4f}, {1, 1}), 1,
                    true);
  const TrainingResult result = trained(make_c45, world, {{"inputs", "values"}, {"confidence", "1"}});
  EXPECT_EQ(result.model.as<TreeModel>()->inputs[0].missing, 2.4f);
  EXPECT_EQ(result.test_scores[0], result.test_scores[2]);
}

TEST(C45Settings, AreRefused) {
  for (const auto& [key, value] : {std::pair("criterion", "gini"),
                                   {"least_leaf", "0"},
                                   {"confidence", "0"},
                                   {"confidence", "1.1"},
                                   {"depth", "1001"}}) {
    Settings settings = testing::settings_of({{key, value}});
    EXPECT_FALSE(make_c45(settings).ok()) << key << " " << value;
  }
}

}  // namespace
}  // namespace mash
