// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/perceptron.hpp"

#include <gmock/gmock.h>

#include "tests/baselines/trained.hpp"

namespace mash {
namespace {

using testing::trained;
using testing::World;

TEST(Perceptron, LearnsWhatStandsInTheTable) {
  const World world(testing::learnable_table(400, 10, 3, 1), 1, true);
  const auto error = [&](const testing::SettingList& list) {
    return trained(make_perceptron, world, list).curve[0].test_error;
  };
  EXPECT_LT(error({}), 0.5);
  EXPECT_LT(error({{"updates", "batch"}}), 0.5);
  EXPECT_LT(error({{"average", "false"}}), 0.6);
}

// The order of the examples is drawn by the seed; a batch has none.
TEST(Perceptron, OfABatchDoesNotDependOnTheSeed) {
  const World world(testing::learnable_table(200, 6, 3, 2), 1, true);
  const auto model = [&](const char* updates, std::uint64_t seed) {
    return trained(make_perceptron, world, {{"updates", updates}}, seed).model;
  };
  EXPECT_EQ(model("batch", 1), model("batch", 2));
  EXPECT_NE(model("stochastic", 1), model("stochastic", 2));
}

TEST(Perceptron, OfTwoClassesHasOppositeScores) {
  const World world(testing::learnable_table(100, 4, 2, 5), 1, true);
  const TrainingResult result = trained(make_perceptron, world, {});
  for (std::size_t i = 0; i < result.test_scores.size(); i += 2)
    EXPECT_DOUBLE_EQ(result.test_scores[i], -result.test_scores[i + 1]);
}

TEST(PerceptronSettings, AreRefused) {
  for (const auto& [key, value] : {std::pair("updates", "online"),
                                   {"average", "mean"},
                                   {"decay", "0"},
                                   {"decay", "1.1"},
                                   {"passes", "0"},
                                   {"features", "-1"}}) {
    Settings settings = testing::settings_of({{key, value}});
    EXPECT_FALSE(make_perceptron(settings).ok()) << key << " " << value;
  }
}

}  // namespace
}  // namespace mash
