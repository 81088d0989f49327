// SPDX-License-Identifier: Apache-2.0
// Promises of every row of the table of boosters.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "classifiers/builtin.hpp"
#include "classifiers/serving/predictor.hpp"
#include "tests/contract/run_comparison.hpp"
#include "tests/support/training.hpp"

namespace mash {
namespace {

using testing::fingerprint;
using testing::hypotheses_of;
using testing::learnable_table;
using testing::Training;
using testing::World;

class BoosterTableRow : public ::testing::TestWithParam<std::string> {
 protected:
  testing::BoosterMaker booster(int num_rounds) const {
    testing::SettingList settings = testing::smaller_settings(GetParam());
    settings.emplace_back("rounds", std::to_string(num_rounds));
    return testing::booster_maker(GetParam(), settings);
  }
  Training training(int num_rounds = 60, std::string sampler = "laminating") const {
    Training result;
    result.other_booster = booster(num_rounds);
    result.sampler = std::move(sampler);
    return result;
  }
  std::string run(Training training, int num_threads = 1) {
    const Workers workers(num_threads);
    const TrainingResult result = training.run(world.dataset, world.features(), workers);
    return fingerprint(result, training.events);
  }

  World world{learnable_table(300, 12, 4, 3)};
};

TEST_P(BoosterTableRow, TrainsAsManyRoundsAsAskedAndLearns) {
  EXPECT_EQ(booster(7)->num_rounds(2), 7u);
  Training one = training(60);
  const TrainingResult result = one.run(world);
  EXPECT_EQ(result.num_rounds, booster(60)->num_rounds(4));
  // Three in four are wrong by chance; what learns from single examples wants more of them than there are
  // here.
  EXPECT_LT(result.curve.back().test_error, one.other_booster->traits().adds_hypotheses ? 0.6 : 0.67);
}

TEST_P(BoosterTableRow, SameModelForAnyNumberOfThreadsAndFromTheSameValueTwice) {
  const Training one = training();
  const std::string expected = run(one);
  EXPECT_EQ(run(one), expected) << "settings are values";
  for (const int num_threads : {2, 3, 8}) EXPECT_EQ(run(one, num_threads), expected) << num_threads;
}

TEST_P(BoosterTableRow, ResumedRunEqualsAWholeOne) {
  const std::string expected = run(training());
  for (const std::uint32_t stop_after : {1u, 31u}) {
    Training stopped = training(), resumed = training();
    stopped.checkpoint = resumed.checkpoint =
        world.folder / fmt::format("{}-{}.ckpt", GetParam(), stop_after);
    stopped.stop_after = stop_after;
    EXPECT_NE(run(stopped, 2), expected);
    EXPECT_EQ(run(resumed, 3), expected) << "after round " << stop_after;
  }
}

TEST_P(BoosterTableRow, ModelComesBackFromItsFileAndPredictsTheScoresOfTraining) {
  Training one = training();
  const TrainingResult result = one.run(world);
  testing::expect_scores_of_training(result, world.dataset);
}

TEST_P(BoosterTableRow, WeightsAddUpToOneAndTheLossNeverRises) {
  Training one = training(60, "full");
  const TrainingResult result = one.run(world);
  if (one.other_booster->traits().adds_hypotheses) {
    EXPECT_EQ(one.weak.weights.size(), result.num_rounds);
  }
  for (const auto& weights : one.weak.weights) {
    double sum = 0;
    for (const double g : weights) sum += std::abs(g);
    EXPECT_NEAR(sum, 1, 1e-9);
  }
  double before = 0;
  for (const RoundEvent& event : one.events.rounds) {
    if (!one.other_booster->traits().adds_hypotheses) {  // the errors of guesses, which have their luck
      EXPECT_LE(event.train_loss_log10, 0);
      continue;
    }
    // Where responses are held within bounds, a Newton step may lead up: the algorithm as it was published.
    const double may_rise = GetParam() == "logitboost.classical" ? 0.05 : 1e-12;
    EXPECT_LE(event.train_loss_log10, before + may_rise);
    before = event.train_loss_log10;
  }
}

// The first hypotheses of a model are the model of fewer rounds, or nobody may take them for it.
TEST_P(BoosterTableRow, AddsHypothesesOrSaysThatItChangesThem) {
  Training few = training(3), many = training(4);
  const auto before = hypotheses_of(few.run(world)), after = hypotheses_of(many.run(world));
  const bool begins_with =
      after.size() > before.size() && std::equal(before.begin(), before.end(), after.begin());
  EXPECT_EQ(begins_with, booster(3)->traits().adds_hypotheses);
}

// A training of fewer rounds than asked for says why: also where examples come from a stream, and where there
// is nothing to be learned.
TEST_P(BoosterTableRow, RunsEveryRoundOrSaysWhyItStops) {
  for (const auto& dataset :
       {testing::table({0, 1, 2, 3}, {0, 0, 1, 1}, 2), testing::table({5, 5}, {0, 1}, 2)}) {
    World small(dataset);
    Training one = training(400, "full");
    const TrainingResult result = one.run(small);
    const bool has_all = result.num_rounds == one.other_booster->num_rounds(2);
    EXPECT_EQ(result.status == TrainingStatus::kComplete, has_all) << to_string(result.status);
    EXPECT_EQ(one.events.rounds.size(), result.num_rounds);
  }
}

// A weak learner that it cannot use is refused in words, and no other goes wrong.
TEST_P(BoosterTableRow, EveryWeakLearnerWorksWithItOrIsRefused) {
  std::size_t num_taken = 0;
  for (const WeakLearnerRow& weak : builtin_weak_learners()) {
    Training one = training(5);
    one.weak = testing::WatchingLearner(std::string(weak.name));
    const Status status = one.other_booster->check(one.weak);
    if (!status.ok()) {
      EXPECT_EQ(status.error().kind, ErrorKind::kInput);
      EXPECT_THAT(status.error().message, ::testing::HasSubstr("expected")) << weak.name;
      continue;
    }
    ++num_taken;
    EXPECT_FALSE(hypotheses_of(one.run(world)).empty()) << weak.name;
  }
  EXPECT_GT(num_taken, 0u);
}

TEST_P(BoosterTableRow, DegenerateDataAreLegal) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const auto& [name, dataset] : std::vector<std::pair<const char*, Dataset>>{
           {"one example", testing::table({1}, {0}, 2)},
           {"constant", testing::table({5, 5, 5}, {0, 1, 1}, 2)},
           {"missing", testing::table({nan, nan, nan}, {0, 1, 2}, 3)},
           {"perfect", testing::table({0, 1, 2}, {0, 1, 2}, 3)},
           {"a class without examples", testing::table({0, 1}, {0, 1}, 4)}}) {
    SCOPED_TRACE(name);
    World small(dataset);
    Training one = training(150, "full");
    const TrainingResult result = one.run(small);
    for (const RoundEvent& event : one.events.rounds)
      EXPECT_TRUE(std::isfinite(event.alpha) && std::isfinite(event.train_loss_log10) && event.edge >= 0);
    EXPECT_TRUE(parse_model(serialise(result.model)).ok());
  }
}

INSTANTIATE_TEST_SUITE_P(All, BoosterTableRow, ::testing::ValuesIn(testing::names_of(builtin_boosters())),
                         testing::test_name);

}  // namespace
}  // namespace mash
