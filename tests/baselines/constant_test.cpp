// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/constant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/baselines/trained.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using testing::trained;
using testing::World;

TEST(Constant, ScoresAreTheSharesOfTheClasses) {
  World world(testing::table({0, 0, 0, 0}, {2, 1, 2, 0}, 3, {5, 6}, {2, 0}));
  const TrainingResult result = trained(make_constant, world, {});
  const LinearModel& model = *result.model.as<LinearModel>();
  EXPECT_THAT(model.intercepts, ElementsAre(0.25, 0.25, 0.5));
  EXPECT_TRUE(model.inputs.empty());
  EXPECT_EQ(model.largest_score, 0.5);
  EXPECT_THAT(result.test_scores, ElementsAre(0.25, 0.25, 0.5, 0.25, 0.25, 0.5));
  ASSERT_EQ(result.curve.size(), 1u);
  EXPECT_EQ(result.curve[0].round, 0u);
  EXPECT_EQ(result.curve[0].train_error, 0.5);
  EXPECT_EQ(result.curve[0].test_error, 0.5);
  EXPECT_EQ(result.meters.fe, 0u);
}

TEST(Constant, ExamplesThatAreLeftOutDoNotCount) {
  World world(testing::table({0, 0, 0, 0}, {0, 0, 0, 1}, 2));
  const std::vector<std::uint32_t> left_out{0, 2};
  const TrainingResult result = trained(make_constant, world, {}, 1, left_out);
  EXPECT_THAT(result.model.as<LinearModel>()->intercepts, ElementsAre(0.5, 0.5));
  EXPECT_EQ(result.curve[0].train_error, 0.5) << "the one of class 1 among the two that count";
}

}  // namespace
}  // namespace mash
