// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/online/online.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "classifiers/boosters/one_vs_all/example_plan.hpp"
#include "classifiers/online/online_loop.hpp"
#include "classifiers/online/rows.hpp"
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

auto maker(std::string_view name) {
  return [name](Settings& settings, SearchParts search) {
    return make_online(name, settings, std::move(search));
  };
}

Result<std::unique_ptr<const Booster>> make(std::string_view name, const SettingList& list) {
  return testing::made_booster(maker(name), name, list);
}

Training online(std::string_view name, const SettingList& list) {
  return testing::training_with(testing::booster_maker(maker(name), name, list));
}

SearchParts full_search() {
  Settings settings;
  return {*(*find_sampler("full"))->make(settings), std::make_shared<const testing::WatchingLearner>()};
}

class OnlineNames : public ::testing::TestWithParam<std::string> {
 protected:
  bool wants_learners() const { return (*find_online_booster(GetParam()))->wants_learners; }
  // Small ones, with these rounds and fresh examples.
  SettingList settings(const char* rounds, const char* fresh) const {
    SettingList list{{"rounds", rounds}, {"fresh", fresh}};
    const SettingList more = wants_learners() ? SettingList{{"stumps", "15"}, {"start", "70"}}
                                              : SettingList{{"selectors", "15"}, {"pool", "8"}};
    list.insert(list.end(), more.begin(), more.end());
    return list;
  }
};

// The best stump has 0.24, as have any number of stumps on its column.
TEST_P(OnlineNames, LearnFromSingleExamples) {
  World world(testing::many_hints(3000, 2000));
  Training training = online(GetParam(), settings("60", "100"));
  const TrainingResult result = training.run(world);
  EXPECT_EQ(result.num_rounds, 60u);
  EXPECT_EQ(result.status, TrainingStatus::kComplete);
  EXPECT_LT(result.curve.back().test_error, 0.18);
  EXPECT_LT(result.curve.back().train_error, 0.18) << "of fresh examples";
  for (const RoundEvent& event : training.events.rounds) EXPECT_LE(event.train_loss_log10, 0);
}

TEST_P(OnlineNames, SameModelForAnyThreadsAndAfterAnInterruption) {
  for (const std::size_t num_classes : {2u, 3u}) {
    World world(learnable_table(500, 6, num_classes, 5)), three(learnable_table(500, 6, num_classes, 5), 3);
    const SettingList list = settings("20", "60");  // more than two passes
    Training whole = online(GetParam(), list), threads = online(GetParam(), list);
    whole.sampler = threads.sampler = "lazyboost";
    const TrainingResult expected = whole.run(world);
    EXPECT_EQ(threads.run(three).model, expected.model);
    for (const std::uint32_t stop_after : {1u, 9u, 10u}) {
      testing::ScratchFolder folder;
      Training cut = online(GetParam(), list);
      cut.sampler = "lazyboost";
      cut.checkpoint = folder / "run.ckpt";
      cut.stop_after = stop_after;
      const TrainingResult stopped = cut.run(world);
      EXPECT_EQ(stopped.status, TrainingStatus::kStopped);
      EXPECT_EQ(stopped.num_rounds, stop_after);
      cut.stop_after = 0;
      const TrainingResult resumed = cut.run(world);
      EXPECT_EQ(resumed.model, expected.model) << "after round " << stop_after;
      EXPECT_EQ(resumed.test_scores, expected.test_scores);
      EXPECT_EQ(resumed.meters.fe, expected.meters.fe);
      EXPECT_EQ(resumed.curve.back().train_error, expected.curve.back().train_error);
      EXPECT_EQ(resumed.curve.back().train_loss_log10, expected.curve.back().train_loss_log10);
    }
  }
}

// A training of fewer rounds is the beginning of one of more.
TEST_P(OnlineNames, RoundsAreExamplesOfOneStream) {
  World world(learnable_table(300, 6, 3, 5));
  Training few = online(GetParam(), settings("6", "50")), many = online(GetParam(), settings("30", "10"));
  EXPECT_EQ(few.run(world).model, many.run(world).model);
}

TEST_P(OnlineNames, TakeNothingFromExamplesThatAreLeftOut) {
  World world(learnable_table(200, 6, 3, 5));
  std::vector<std::uint32_t> left_out;
  for (std::uint32_t n = 0; n < 200; n += 3) left_out.push_back(n);
  const auto model_of = [&](const Dataset& dataset) {
    Training training = online(GetParam(), settings("10", "40"));
    training.left_out = left_out;
    return training.run(dataset, world.features(), world.workers).model;
  };
  Dataset other = world.dataset;
  for (const std::uint32_t n : left_out)
    other.train.labels[n] = std::uint16_t((other.train.labels[n] + 1) % 3);
  EXPECT_EQ(model_of(world.dataset), model_of(other));
  ++other.train.labels[1];
  other.train.labels[1] %= 3;
  EXPECT_NE(model_of(world.dataset), model_of(other)) << "this one is learned from";
}

TEST_P(OnlineNames, RefuseWhatIsNotLearnedFromOneExample) {
  const Training training = online(GetParam(), {});
  for (const char* weak : {"tree", "product"}) {
    const Status refused = training.other_booster->check(testing::WatchingLearner(weak));
    ASSERT_FALSE(refused.ok()) << weak;
    EXPECT_EQ(refused.error().message,
              "booster " + GetParam() +
                  ": found a weak learner that does not learn from one example at a time, expected stump");
  }
  const Status refused =
      training.other_booster->check(testing::WatchingLearner("stump", {{"cuts", "exact"}}));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "booster " + GetParam() + ": found cuts: exact, expected codes");
  EXPECT_TRUE(training.other_booster->check(testing::WatchingLearner()).ok());
  World one_class(testing::table({1, 2}, {0, 0}, 1));
  Training of_one = online(GetParam(), {});
  const auto result = of_one.try_run(one_class.dataset, one_class.features(), one_class.workers);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "found data of one class, expected at least two");
}

INSTANTIATE_TEST_SUITE_P(All, OnlineNames, ::testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const OnlineRow& row : online_boosters()) names.emplace_back(row.name);
                           return names;
                         }()),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name)
                             if (c == '-' || c == '.') c = '_';
                           return name;
                         });

// Stumps that learn online come to the same threshold on a column, for any weights; these stay.
TEST(OnlineOneVsAll, AddsUpThresholdsThatDoNotMove) {
  World world(testing::halves(2000, 1000));
  for (const char* name : {"osboost.exp", "osboost.ocp", "oza-russell"}) {
    Training training = online(name, {{"rounds", "40"}, {"fresh", "100"}, {"stumps", "15"}, {"start", "70"}});
    EXPECT_LT(training.run(world).curve.back().test_error, 0.2) << "one stump has 0.25; " << name;
  }
}

// Example by example, with nothing of the loops: the boosters on the codes of the whole side.
TEST(OnlineOneVsAll, IsItsBoostersOnTheStreamOfCodes) {
  for (const char* name : {"selectors", "online-gradientboost"})
    for (const std::size_t num_classes : {2u, 3u}) {
      World world(learnable_table(120, 6, num_classes, 5));
      const SettingList pools{{"selectors", "12"}, {"pool", "6"}};
      SettingList list = pools;
      list.insert(list.end(), {{"rounds", "7"}, {"fresh", "50"}});
      const TrainingResult result = online(name, list).run(world);

      Settings settings = testing::settings_of(pools);
      const OnlineFactory factory = *(*find_online_booster(name))->make(settings);
      std::vector<std::unique_ptr<OnlineBooster>> boosters;
      for (std::uint32_t p = 0; p < num_problems(num_classes); ++p)
        boosters.push_back(*factory({problem_seed(1, p), 6, {}}));
      const auto values = [&](const OnlineBooster& booster, Side side, std::uint32_t example) {
        std::vector<float> of_example;
        for (const std::uint32_t feature : booster.features())
          of_example.push_back(float(world.features().column(side, feature).codes[example]));
        return of_example;
      };
      ExampleStream stream(1, 120);
      for (int i = 0; i < 350; ++i) {
        const std::uint32_t n = stream.next();
        for (std::size_t p = 0; p < boosters.size(); ++p)
          boosters[p]->learn(values(*boosters[p], Side::kTrain, n),
                             world.dataset.train.labels[n] == (num_classes == 2 ? 1 : p) ? 1 : -1, 1);
      }
      for (std::uint32_t n = 0; n < 30; ++n)
        for (std::size_t p = 0; p < boosters.size(); ++p) {
          const double score = boosters[p]->score(values(*boosters[p], Side::kTest, n));
          const double* row = &result.test_scores[n * num_classes];
          EXPECT_NEAR(row[num_classes == 2 ? 1 : p], score, 1e-12 * (1 + std::abs(score))) << name;
          if (num_classes == 2) {
            EXPECT_NEAR(row[0], -score, 1e-12 * (1 + std::abs(score)));
          }
        }
    }
}

// Stumps found before the first round stay as they are where they do not learn, and are what is asked for.
TEST(OnlineOneVsAll, BeginsWithStumpsOfLogitBoost) {
  World world(learnable_table(400, 6, 2, 5));
  const auto run = [&](const char* rounds, const char* learners) {
    Training training = online(
        "oza-russell",
        {{"rounds", rounds}, {"fresh", "20"}, {"stumps", "9"}, {"start", "100"}, {"learners", learners}});
    TrainingResult result = training.run(world);
    EXPECT_EQ(training.weak.weights.size(), 9u);
    for (const auto& weights : training.weak.weights) EXPECT_EQ(weights.size(), 100u) << "of the start";
    return result;
  };
  const auto cuts_of = [](const TrainingResult& result) {
    std::vector<Cut> cuts;
    for (const Hypothesis& hypothesis : hypotheses_of(result)) cuts.push_back(hypothesis.cuts[0]);
    return cuts;
  };
  const TrainingResult few = run("5", "fixed"), many = run("10", "fixed");
  // A model lacks those without a coefficient, which are others after other rounds.
  const auto num_cuts = [&](const char* learners) {
    std::set<std::tuple<std::uint32_t, std::uint32_t, float>> cuts;
    for (const char* rounds : {"1", "2", "5", "10", "20"})
      for (const Cut& cut : cuts_of(run(rounds, learners)))
        cuts.emplace(cut.family_idx, cut.feature_idx, cut.threshold);
    return cuts.size();
  };
  EXPECT_GE(num_cuts("fixed"), 5u);
  EXPECT_LE(num_cuts("fixed"), 9u);
  EXPECT_GT(num_cuts("updated"), 9u);
  const std::uint64_t each = (many.meters.fe - few.meters.fe) / 100;
  EXPECT_EQ((many.meters.fe - few.meters.fe) % 100, 0u) << "as many features of each of 100 examples more";
  EXPECT_GE(each, 1u);
  EXPECT_LE(each, 6u);
  EXPECT_EQ(few.meters.fe - 100 * each, 9u * 100u * 6u) << "what the start cost";
}

// Raises a stop flag when it is asked for the n-th time.
class StoppingLearner final : public WeakLearner {
 public:
  StoppingLearner(StopFlag& stop, int after) : stop_(stop), left_(after) {}
  Cuts cuts() const override { return stump_.cuts(); }
  bool needs_class_edges() const override { return stump_.needs_class_edges(); }
  WeakHypothesis learn(StumpScan& scan, Sampler& sampler, const Round& round) const override {
    if (--left_ == 0) stop_.raise();
    return stump_.learn(scan, sampler, round);
  }

 private:
  StopFlag& stop_;
  mutable int left_;
  testing::WatchingLearner stump_;
};

TEST(OnlineOneVsAll, StopsWhileItLooksForItsFirstStumps) {
  World world(learnable_table(400, 6, 3, 5));
  const SettingList list{{"rounds", "3"}, {"stumps", "9"}};
  const TrainingResult whole = online("osboost", list).run(world);
  for (const int after : {1, 14}) {  // of 27
    Training training = online("osboost", list);
    const testing::ScratchFolder folder;
    training.checkpoint = folder / "run.ckpt";
    StopFlag stop;
    const SearchParts search{full_search().sampler, std::make_shared<const StoppingLearner>(stop, after)};
    const auto result = training.other_booster.with(search)->train(
        1, {.dataset = world.dataset,
            .features = world.features(),
            .work = {world.workers, no_progress(), no_remarks(), stop},
            .observer = training.events,
            .checkpoint = training.checkpoint,
            .run_key = training.run_key});
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->status, TrainingStatus::kStopped);
    EXPECT_EQ(result->num_rounds, 0u);
    EXPECT_TRUE(hypotheses_of(*result).empty());
    EXPECT_TRUE(training.events.rounds.empty());
    EXPECT_EQ(training.run(world).model, whole.model) << "the same once more";
  }
}

// Only a part of the start is done, and its seconds count for all; the rounds have as many learners.
TEST(OnlineOneVsAll, MeasuresAPartOfItsStart) {
  World world(learnable_table(400, 6, 3, 5));
  const Training training = online("oza-russell", {{"rounds", "4"}, {"stumps", "60"}, {"start", "100"}});
  const auto learner = std::make_shared<const testing::WatchingLearner>();
  testing::EventList events;
  const auto result = training.other_booster.with({full_search().sampler, learner})
                          ->train(1, {.dataset = world.dataset,
                                      .features = world.features(),
                                      .work = world.work,
                                      .observer = events,
                                      .checkpoint = {},
                                      .run_key = {},
                                      .purpose = Purpose::kSeconds});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->num_rounds, 4u);
  EXPECT_EQ(learner->weights.size(), 3u * 3u);
  std::set<std::tuple<std::uint32_t, float, double>> stumps;
  for (const Hypothesis& hypothesis : hypotheses_of(*result))
    stumps.emplace(hypothesis.cuts[0].feature_idx, hypothesis.cuts[0].threshold, hypothesis.votes[0]);
  EXPECT_LE(stumps.size(), 3u * 3u);
  EXPECT_GT(hypotheses_of(*result).size(), 3u * 3u) << "some of them several times";
}

TEST(OnlineOneVsAll, ReadsTheSettingsOfItsName) {
  EXPECT_TRUE(make("osboost.exp", {{"learners", "updated"}, {"gamma", "0.2"}}).ok());
  EXPECT_TRUE(make("selectors", {{"pools", "shared"}}).ok());
  for (const auto& [name, wrong] :
       std::vector<std::pair<const char*, SettingList>>{{"osboost", {{"gamma", "1"}}},
                                                        {"osboost", {{"learners", "fixed"}}},
                                                        {"osboost.ocp", {{"start", "1"}}},
                                                        {"oza-russell", {{"fresh", "0"}}},
                                                        {"oza-russell", {{"stumps", "0"}}},
                                                        {"selectors", {{"stumps", "5"}}},
                                                        {"selectors", {{"pool", "0"}}},
                                                        {"online-gradientboost", {{"loss", "nonesuch"}}}}) {
    const auto made = make(name, wrong);
    ASSERT_FALSE(made.ok()) << wrong[0].first;
    EXPECT_EQ(made.error().kind, ErrorKind::kInput);
    EXPECT_THAT(made.error().message, ::testing::HasSubstr(wrong[0].first));
  }
  EXPECT_FALSE(make("osbost", {}).ok());
}

}  // namespace
}  // namespace mash
