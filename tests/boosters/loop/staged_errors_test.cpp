// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/loop/staged_errors.hpp"

#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::BoosterSettings;
using testing::hypotheses_of;
using testing::Training;
using testing::World;

TEST(StagedTestErrors, AreThoseOfEveryPrefixOfTheModel) {
  for (const Cuts cuts : {Cuts::kCodes, Cuts::kExact}) {
    const World world(testing::learnable_table(200, 5, 3, 1), 2, cuts == Cuts::kExact);
    Training training;
    training.booster.num_rounds = 30;
    if (cuts == Cuts::kExact) training.weak = testing::WatchingLearner("stump", {{"cuts", "exact"}});
    const TrainingResult result = training.run(world);
    const auto errors =
        staged_test_errors(result.model.sum(), world.dataset, world.features(), world.workers);
    ASSERT_EQ(errors.size(), hypotheses_of(result).size() + 1);
    const Split& test = world.dataset.test;
    for (std::size_t t = 0; t < errors.size(); ++t) {
      const auto scores = testing::scores_on_values(result.model, world.dataset, test, t);
      EXPECT_EQ(errors[t], testing::error_of(scores, test.labels, 3)) << t;
    }
    EXPECT_EQ(errors.back(), result.curve.back().test_error);
    EXPECT_LT(errors.back(), errors.front());
  }
}

TEST(StagedTestErrors, WithoutTestExamplesThereAreNone) {
  const World world(testing::table({0, 1, 2, 3}, {0, 0, 1, 1}, 2));
  BoosterSettings booster;
  booster.num_rounds = 1;
  const TrainingResult result = testing::train(world, booster);
  EXPECT_EQ(staged_test_errors(result.model.sum(), world.dataset, world.features(), world.workers),
            (std::vector<double>{0, 0}));
}

TEST(RoundEvents, TellTheSecondsOfTrainingSoFar) {
  const World world(testing::learnable_table(200, 5, 3, 1));
  Training training;
  training.booster.num_rounds = 20;
  const TrainingResult result = training.run(world);
  double before = 0;
  for (const RoundEvent& event : training.events.rounds) {
    EXPECT_GT(event.seconds, before);
    before = event.seconds;
  }
  EXPECT_EQ(before, result.meters.seconds);
  for (const CurvePoint& point : result.curve)
    EXPECT_EQ(point.seconds, training.events.rounds[point.round - 1].seconds);
}

}  // namespace
}  // namespace mash
