// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/filterboost.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "classifiers/online/round_filter.hpp"
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

Result<std::unique_ptr<const Booster>> make_filter_booster(const SettingList& list) {
  return testing::made_booster(make_filterboost, "filterboost", list);
}

Training filterboost(const SettingList& list) {
  return testing::training_with(testing::booster_maker(make_filterboost, "filterboost", list));
}

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

// Class 0 ends in its second round, independently of the others.
TEST(FilterBoostTraining, GoesOnAsItWasWhereAClassHadEnded) {
  RandomStream stream(1, "test.ended");
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (int n = 0; n < 300; ++n) {
    labels.push_back(std::uint16_t(n % 3));
    values.insert(values.end(), {labels.back() == 0 ? 1.f : 0.f,
                                 float(stream.uniform() + 0.2 * labels.back()), float(stream.uniform())});
  }
  World world(testing::table(values, labels, 3));
  const SettingList list{{"rounds", "8"}, {"sample", "20"}, {"edge_samples", "30"}};
  Training whole = filterboost(list);
  const TrainingResult expected = whole.run(world);
  ASSERT_EQ(expected.num_rounds, 24u);
  for (std::size_t t = 3; t < 24; t += 3) EXPECT_EQ(whole.events.rounds[t].alpha, 0) << t;
  EXPECT_GT(whole.events.rounds[1].alpha, 0);
  EXPECT_GT(whole.events.rounds[7].alpha + whole.events.rounds[10].alpha, 0) << "others go on";
  for (const std::uint32_t stop_after : {4u, 6u, 11u}) {
    testing::ScratchFolder folder;
    Training cut = filterboost(list);
    cut.checkpoint = folder / "run.ckpt";
    cut.stop_after = stop_after;
    EXPECT_EQ(cut.run(world).status, TrainingStatus::kStopped);
    cut.stop_after = 0;
    const TrainingResult resumed = cut.run(world);
    EXPECT_EQ(resumed.model, expected.model) << "after round " << stop_after;
    EXPECT_EQ(resumed.meters.ue, expected.meters.ue) << "nothing more is drawn for the class that had ended";
  }
}

// 119 classes of one example each end soon; one that is not to be told from them goes on, once in 120 rounds.
TEST(FilterBoostTraining, IdleTurnsOfManyClassesThatHaveEndedAreNoEnd) {
  RandomStream stream(1, "test.many");
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (int n = 0; n < 400; ++n) {
    labels.push_back(std::uint16_t(std::min(n, 119)));
    values.push_back(float(stream.below(8)));
  }
  World world(testing::table(values, labels, 120));
  Training training = filterboost({{"rounds", "12"}, {"sample", "20"}, {"edge_samples", "20"}});
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.status, TrainingStatus::kComplete);
  EXPECT_EQ(result.num_rounds, 12u * 120u);
  const auto& rounds = training.events.rounds;
  const auto is_idle = [](const RoundEvent& round) { return round.alpha == 0; };
  EXPECT_EQ(std::count_if(rounds.end() - 120, rounds.end() - 1, is_idle), 119);
}

TEST(FilterBoostTraining, TakesNothingFromExamplesThatAreLeftOut) {
  World world(learnable_table(200, 6, 3, 5));
  std::vector<std::uint32_t> left_out;
  for (std::uint32_t n = 0; n < 200; n += 3) left_out.push_back(n);
  const auto model_of = [&](const Dataset& dataset) {
    Training training = filterboost({{"rounds", "4"}, {"sample", "60"}, {"edge_samples", "100"}});
    training.left_out = left_out;
    return training.run(dataset, world.features(), world.workers).model;
  };
  Dataset other = world.dataset;
  for (const std::uint32_t n : left_out)
    other.train.labels[n] = std::uint16_t((other.train.labels[n] + 1) % 3);
  EXPECT_EQ(model_of(world.dataset), model_of(other));
  for (const std::uint32_t n : {1u, 2u, 4u, 5u})
    other.train.labels[n] = std::uint16_t((other.train.labels[n] + 1) % 3);
  EXPECT_NE(model_of(world.dataset), model_of(other)) << "these are learned from";
}

// A hypothesis learned from two examples of eight is wrong on most of them half of the time; with its votes
// turned it is right on most.
TEST(FilterBoostTraining, TurnsAHypothesisThatIsMoreOftenWrong) {
  const std::vector<std::uint16_t> labels{0, 1, 0, 0, 1, 1, 0, 1};
  World world(testing::table({0, 1, 2, 3, 4, 5, 6, 7}, labels, 2));
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Training training = filterboost({{"rounds", "1"}, {"sample", "1"}, {"edge_samples", "2000"}});
    training.booster.seed = seed;
    const TrainingResult result = training.run(world);
    for (const Hypothesis& hypothesis : hypotheses_of(result)) {
      int num_right = 0;
      for (std::size_t n = 0; n < 8; ++n) {
        const double vote = hypothesis.cuts[0].holds(float(n)) ? hypothesis.votes[1] : -hypothesis.votes[1];
        num_right += (vote > 0) == (labels[n] == 1);
      }
      EXPECT_GT(hypothesis.alpha, 0);
      EXPECT_GE(num_right, 4) << "seed " << seed;
    }
  }
}

TEST(FilterBoostTraining, ReadsItsSettings) {
  EXPECT_TRUE(make_filter_booster({{"edge_samples", "auto"}, {"tau", "0.3"}}).ok());
  for (const SettingList& wrong : std::vector<SettingList>{{{"tau", "1"}},
                                                           {{"epsilon", "0"}},
                                                           {{"delta", "1"}},
                                                           {{"sample", "0"}},
                                                           {{"edge_samples", "0"}},
                                                           {{"edge_samples", "10"}, {"tau", "0.5"}}}) {
    const auto made = make_filter_booster(wrong);
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
