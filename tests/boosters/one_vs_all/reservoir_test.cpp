// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/one_vs_all/reservoir.hpp"

#include <gmock/gmock.h>

#include <set>

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

Result<std::unique_ptr<const Booster>> make_reservoir_booster(const SettingList& list) {
  return testing::made_booster(make_reservoir, "reservoir", list);
}

Training reservoir(const SettingList& list) {
  return testing::training_with(testing::booster_maker(make_reservoir, "reservoir", list));
}

class Strategies : public ::testing::TestWithParam<const char*> {
 protected:
  SettingList settings(const char* rounds, const char* size) const {
    return {{"keep", GetParam()}, {"rounds", rounds}, {"size", size}};
  }
};

TEST_P(Strategies, LearnFromTheFewExamplesThatTheyKeep) {
  World world(testing::halves(2000, 1000));
  Training training = reservoir(settings("60", "100"));
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.num_rounds, 60u);
  EXPECT_LT(result.curve.back().test_error, 0.2) << "one stump has 0.25";
  EXPECT_LT(result.curve.back().train_error, 0.25) << "of fresh examples, those of the first rounds too";
  for (const auto& weights : training.weak.weights) EXPECT_EQ(weights.size(), 100u);
}

TEST_P(Strategies, SameModelForAnyThreadsAndAfterAnInterruption) {
  World world(learnable_table(500, 6, 3, 5)), three(learnable_table(500, 6, 3, 5), 3);
  for (const char* sampler : {"full", "lazyboost"}) {
    const SettingList list = settings("10", "40");
    Training whole = reservoir(list), threads = reservoir(list);
    whole.sampler = threads.sampler = sampler;
    const TrainingResult expected = whole.run(world);
    EXPECT_EQ(threads.run(three).model, expected.model);
    for (const std::uint32_t stop_after : {1u, 14u, 15u}) {
      testing::ScratchFolder folder;
      Training cut = reservoir(list);
      cut.sampler = sampler;
      cut.checkpoint = folder / "run.ckpt";
      cut.stop_after = stop_after;
      EXPECT_EQ(cut.run(world).status, TrainingStatus::kStopped);
      cut.stop_after = 0;
      const TrainingResult resumed = cut.run(world);
      EXPECT_EQ(resumed.model, expected.model) << sampler << ", after round " << stop_after;
      EXPECT_EQ(resumed.curve.back().train_error, expected.curve.back().train_error);
      EXPECT_EQ(resumed.curve.back().train_loss_log10, expected.curve.back().train_loss_log10);
    }
  }
}

// T-G3: where the reservoir has room for all, nothing is left to choose.
TEST_P(Strategies, OfRoomForAllAreLogitBoost) {
  for (const std::size_t num_classes : {2u, 3u}) {
    World world(learnable_table(80, 5, num_classes, 5));
    Training kept = reservoir(settings("12", "80"));
    Training all;
    all.other_booster = testing::booster_maker("logitboost", {{"rounds", "12"}});
    EXPECT_EQ(kept.run(world).model, all.run(world).model);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Strategies, ::testing::Values("geem", "max", "rand", "wsam"),
                         [](const auto& test) { return std::string(test.param); });

// A stream without fresh examples never changes the reservoir.
TEST(Reservoir, WithoutFreshExamplesIsASampleDrawnOnce) {
  World world(learnable_table(300, 6, 2, 5));
  Training training = reservoir({{"keep", "rand"}, {"rounds", "15"}, {"size", "50"}, {"fresh", "0"}});
  const TrainingResult result = training.run(world);
  double before = 0;
  for (const RoundEvent& event : training.events.rounds) {
    EXPECT_LE(event.train_loss_log10, before + 1e-12) << "as on data that stay";
    before = event.train_loss_log10;
  }
}

// Separating a few examples is no end: others come.
TEST(Reservoir, NeverSaysThatAllIsSeparated) {
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (std::uint16_t n = 0; n < 60; ++n) {
    values.push_back(float(n));
    labels.push_back(n >= 30);
  }
  World world(testing::table(values, labels, 2));
  Training all;
  all.other_booster = testing::booster_maker("logitboost", {{"rounds", "200"}});
  EXPECT_EQ(all.run(world).status, TrainingStatus::kSeparated) << "on all examples it is";
  Training training = reservoir({{"keep", "max"}, {"rounds", "200"}, {"size", "10"}, {"fresh", "5"}});
  const TrainingResult result = training.run(world);
  EXPECT_LT(result.curve.back().train_loss_log10, -300);
  EXPECT_NE(result.status, TrainingStatus::kSeparated);
  for (const char* examples : {"by_weight", "mada"}) {
    const testing::SettingList drawn = {{"rounds", "200"}, {"examples", examples}, {"drawn", "10"}};
    training.other_booster = testing::booster_maker("logitboost", drawn);
    EXPECT_NE(training.run(world).status, TrainingStatus::kSeparated) << examples;
  }
}

// On demand, the heuristic is shown each fresh example once, when it comes, for as many features as rounds
// look at; nothing of those before it is computed again, and nothing is stored.
TEST(Reservoir, HasTheFeaturesOfFreshExamplesComputedWhenTheyCome) {
  constexpr std::uint32_t kDim = 40;
  std::vector<std::uint16_t> labels(3000);
  for (std::size_t n = 0; n < labels.size(); ++n) labels[n] = std::uint16_t(n % 2);
  testing::FakeFamily family{"f", kDim, [](std::uint32_t n, std::uint32_t j) {
                               return float((n * 31 + j * 17) % 101) + (n % 2 == 1 ? float(j) : 0);
                             }};
  World world(testing::numbered_images(labels, {}, 2), {family});
  world.store.limit = 0;
  auto lazy = FeatureSet::open(world.specs, world.store, world.context());
  ASSERT_TRUE(lazy.ok());
  const auto num_values = [&](const char* rounds) {
    Training training = reservoir({{"keep", "wsam"}, {"rounds", rounds}, {"size", "50"}, {"fresh", "30"}});
    training.purpose = Purpose::kModel;
    world.host.forget_images();
    training.run(world.dataset, *lazy, world.workers);
    return world.host.num_values.load();
  };
  num_values("1");  // chooses the thresholds
  const std::size_t few = num_values("5"), many = num_values("15");
  EXPECT_EQ(few % kDim, 0u);
  EXPECT_EQ(many - few, 10u * 30u * kDim);
}

// Each round evaluates the features on the reservoir alone.
TEST(Reservoir, CostsWhatItsExamplesCost) {
  World world(learnable_table(1000, 6, 2, 5));
  Training training = reservoir({{"keep", "wsam"}, {"rounds", "20"}, {"size", "50"}});
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.meters.fe, 20u * 50u * world.features().num_features());
}

TEST(Reservoir, CorrectedStepsAreOthers) {
  World world(learnable_table(500, 6, 2, 5));
  Training plain = reservoir({{"rounds", "10"}, {"size", "40"}}),
           corrected = reservoir({{"rounds", "10"}, {"size", "40"}, {"alpha_weights", "corrected"}});
  const auto a = plain.run(world), b = corrected.run(world);
  EXPECT_NE(hypotheses_of(a)[0].alpha, hypotheses_of(b)[0].alpha);
  EXPECT_EQ(hypotheses_of(a)[0].cuts, hypotheses_of(b)[0].cuts) << "the first search is the same";
}

TEST(Reservoir, ShrinkShortensTheStepsAlone) {
  World world(learnable_table(500, 6, 2, 5));
  Training whole = reservoir({{"rounds", "1"}, {"size", "40"}}),
           shrunk = reservoir({{"rounds", "1"}, {"size", "40"}, {"shrink", "0.25"}});
  const auto a = whole.run(world), b = shrunk.run(world);
  ASSERT_GT(hypotheses_of(a)[0].alpha, 0);
  EXPECT_EQ(hypotheses_of(b)[0].alpha, 0.25 * hypotheses_of(a)[0].alpha);
  EXPECT_EQ(hypotheses_of(a)[0].cuts, hypotheses_of(b)[0].cuts);
}

TEST(Reservoir, ReadsTheSettingsOfItsStrategy) {
  EXPECT_TRUE(make_reservoir_booster({{"keep", "geem"}, {"lambda", "0.01"}, {"features", "all"}}).ok());
  EXPECT_TRUE(make_reservoir_booster({{"keep", "wsam"}, {"uniform_weights", "true"}}).ok());
  for (const SettingList& wrong : std::vector<SettingList>{{{"lambda", "0"}},
                                                           {{"keep", "some"}},
                                                           {{"size", "1"}},
                                                           {{"fresh", "-1"}},
                                                           {{"alpha_weights", "w"}},
                                                           {{"shrink", "2"}},
                                                           {{"fresh", "10"}, {"size", "5000"}}}) {
    const auto made = make_reservoir_booster(wrong);
    ASSERT_FALSE(made.ok()) << wrong.back().first;
    EXPECT_EQ(made.error().kind, ErrorKind::kInput);
    EXPECT_THAT(made.error().message, ::testing::HasSubstr(wrong.back().first));
  }
}

TEST(Reservoir, RefusesKeysWithoutEffect) {
  EXPECT_TRUE(make_reservoir_booster({{"keep", "geem"}, {"alpha_weights", "corrected"}}).ok());
  EXPECT_TRUE(
      make_reservoir_booster({{"keep", "wsam"}, {"uniform_weights", "true"}, {"alpha_weights", "corrected"}})
          .ok());
  for (const auto& [list, message] : std::vector<std::pair<SettingList, const char*>>{
           {{{"keep", "max"}, {"lambda", "0.1"}}, "lambda: has no effect without keep: geem"},
           {{{"keep", "wsam"}, {"features", "all"}}, "features: has no effect without keep: geem"},
           {{{"uniform_weights", "true"}}, "uniform_weights: has no effect without keep: wsam"},
           {{{"keep", "rand"}, {"alpha_weights", "corrected"}},
            "alpha_weights: has no effect without keep: geem"},
           {{{"keep", "wsam"}, {"alpha_weights", "corrected"}},
            "or keep: wsam with uniform_weights: true"}}) {
    const auto made = make_reservoir_booster(list);
    ASSERT_FALSE(made.ok()) << message;
    EXPECT_THAT(made.error().message, ::testing::StartsWith("test: "));
    EXPECT_THAT(made.error().message, ::testing::HasSubstr(message));
  }
}

TEST(Reservoir, SaysWhereItsSizesAre) {
  EXPECT_EQ(make_reservoir_booster({{"fresh", "5000"}}).error().message,
            "test: fresh: found size 250 and fresh 5000, expected at most 5000 together with keep: geem, "
            "which compares each with each");
  EXPECT_THAT(make_reservoir_booster({{"size", "3000"}}).error().message,
              ::testing::StartsWith("test: size: found size 3000"));
}

TEST(Reservoir, RefusesCutsBetweenValues) {
  const testing::WatchingLearner exact("stump", {{"cuts", "exact"}});
  const Status refused = reservoir({}).other_booster->check(exact);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "booster reservoir: found cuts: exact, expected codes");
}

}  // namespace
}  // namespace mash
