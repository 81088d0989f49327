// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/filterboost.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "classifiers/online/filterboost.hpp"
#include "tests/boosters/halves.hpp"
#include "tests/boosters/made_booster.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::hypotheses_of;
using testing::learnable_table;
using testing::SettingList;
using testing::Training;
using testing::World;

Result<std::unique_ptr<const Booster>> make(const SettingList& list) {
  return testing::made_booster(make_filterboost, "filterboost", list);
}

Training filterboost(const SettingList& list) { return testing::training_with(make(list)); }

TEST(FilterBoostTraining, LearnsWhatOneStumpCannot) {
  World world(testing::halves(2000, 1000));
  Training training = filterboost({{"rounds", "40"}, {"edge_samples", "1000"}});
  const TrainingResult result = training.run(world);
  EXPECT_LT(result.curve.back().test_error, 0.12) << "one stump has 0.25";
  EXPECT_LT(result.curve.back().train_error, 0.12);
  for (std::size_t t = 0; t < training.weak.weights.size(); ++t)
    EXPECT_LE(training.weak.weights[t].size(), filterboost_sample_size(300, std::uint32_t(t + 1)));
}

// The examples of round 1 are as good as drawn uniformly; all that a stump says of perfect data is right.
TEST(FilterBoostTraining, StepsAsItsEdgeSays) {
  World world(testing::table({0, 1, 2, 3, 4, 5, 6, 7}, {0, 0, 0, 0, 1, 1, 1, 1}, 2));
  Training training = filterboost({{"rounds", "1"}, {"edge_samples", "50"}});
  const TrainingResult result = training.run(world);
  ASSERT_EQ(hypotheses_of(result).size(), 1u);
  EXPECT_EQ(hypotheses_of(result)[0].alpha, filterboost_alpha(0.5));
  EXPECT_NEAR(training.events.rounds[0].train_loss_log10, std::log10(2 * std::sqrt(1e-6)), 1e-6);
  Training as_published = filterboost({{"rounds", "1"}});
  EXPECT_NEAR(hypotheses_of(as_published.run(world))[0].alpha, filterboost_alpha(0.5 / 1.5), 1e-12)
      << "the edge is made smaller by 1 + tau";
}

TEST(FilterBoostTraining, EndsWhereTheFilterLetsNothingThrough) {
  World two(testing::table({0, 1, 2, 3, 4, 5, 6, 7}, {0, 0, 0, 0, 1, 1, 1, 1}, 2)),
      three(testing::table({0, 1, 2, 3, 4, 5}, {0, 0, 1, 1, 2, 2}, 3));
  for (World* world : {&two, &three}) {
    Training training = filterboost({{"rounds", "1000"}, {"sample", "20"}, {"edge_samples", "20"}});
    const TrainingResult result = training.run(*world);
    EXPECT_EQ(result.status, TrainingStatus::kErrorReached);
    EXPECT_EQ(to_string(result.status), "error reached");
    EXPECT_LT(result.num_rounds, training.other_booster->num_rounds(world->dataset.num_classes()));
    EXPECT_EQ(result.curve.back().train_error, 0);
    Training tighter =
        filterboost({{"rounds", "1000"}, {"sample", "20"}, {"edge_samples", "20"}, {"epsilon", "0.001"}});
    EXPECT_GE(tighter.run(*world).num_rounds, result.num_rounds + (world == &two));
  }
}

TEST(FilterBoostTraining, SameModelForAnyThreadsAndAfterAnInterruption) {
  World world(learnable_table(500, 6, 3, 5)), three(learnable_table(500, 6, 3, 5), 3);
  const SettingList list{{"rounds", "8"}, {"sample", "60"}, {"edge_samples", "300"}};
  Training whole = filterboost(list), threads = filterboost(list);
  whole.sampler = threads.sampler = "lazyboost";
  const TrainingResult expected = whole.run(world);
  EXPECT_EQ(threads.run(three).model, expected.model);
  for (const std::uint32_t stop_after : {1u, 11u, 12u}) {
    testing::ScratchFolder folder;
    Training cut = filterboost(list);
    cut.sampler = "lazyboost";
    cut.checkpoint = folder / "run.ckpt";
    cut.stop_after = stop_after;
    EXPECT_EQ(cut.run(world).status, TrainingStatus::kStopped);
    cut.stop_after = 0;
    const TrainingResult resumed = cut.run(world);
    EXPECT_EQ(resumed.model, expected.model) << "after round " << stop_after;
    EXPECT_EQ(resumed.curve.back().train_error, expected.curve.back().train_error);
    EXPECT_EQ(resumed.curve.back().train_loss_log10, expected.curve.back().train_loss_log10);
    EXPECT_EQ(resumed.meters.ue, expected.meters.ue);
  }
}

TEST(FilterBoostTraining, ReadsItsSettings) {
  EXPECT_TRUE(make({{"edge_samples", "auto"}, {"tau", "0.3"}}).ok());
  for (const SettingList& wrong : std::vector<SettingList>{{{"tau", "1"}},
                                                           {{"epsilon", "0"}},
                                                           {{"delta", "1"}},
                                                           {{"sample", "0"}},
                                                           {{"edge_samples", "0"}},
                                                           {{"edge_samples", "10"}, {"tau", "0.5"}}}) {
    const auto made = make(wrong);
    ASSERT_FALSE(made.ok()) << wrong.back().first;
    EXPECT_EQ(made.error().kind, ErrorKind::kInput);
    EXPECT_THAT(made.error().message, ::testing::HasSubstr(wrong.back().first));
  }
  const Status refused =
      filterboost({}).other_booster->check(testing::WatchingLearner("stump", {{"cuts", "exact"}}));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "booster filterboost: found cuts: exact, expected codes");
}

}  // namespace
}  // namespace mash
