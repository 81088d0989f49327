// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/boosters/made_booster.hpp"
#include "tests/support/endless_images.hpp"

// Training on examples that never end: what is in memory, and that none comes twice.
namespace mash {
namespace {

using testing::EndlessWorld;
using testing::SettingList;
using testing::Training;

constexpr std::size_t kHeld = 64;

struct Row {
  std::string name;
  SettingList few;  // fewer examples than are held
  SettingList many;
};

Training training_of(const std::string& name, const SettingList& list) {
  Training training = testing::training_with(testing::booster_maker((*find_booster(name))->make, name, list));
  training.purpose = Purpose::kModel;
  return training;
}

std::vector<Row> rows() {
  const auto with = [](SettingList list, const SettingList& more) {
    list.insert(list.end(), more.begin(), more.end());
    return list;
  };
  std::vector<Row> rows;
  for (const char* keep : {"geem", "max", "rand", "wsam"}) {
    const SettingList list{{"keep", keep}, {"size", "20"}, {"fresh", "8"}};
    rows.push_back({"reservoir", with(list, {{"rounds", "5"}}), with(list, {{"rounds", "30"}})});
  }
  const SettingList stumps{{"stumps", "6"}, {"start", "24"}, {"fresh", "8"}};
  for (const char* name : {"osboost", "osboost.exp", "osboost.ocp", "oza-russell"})
    rows.push_back({name, with(stumps, {{"rounds", "5"}}), with(stumps, {{"rounds", "40"}})});
  const SettingList pools{{"selectors", "6"}, {"pool", "4"}, {"fresh", "8"}};
  for (const char* name : {"online-gradientboost", "selectors"})
    rows.push_back({name, with(pools, {{"rounds", "8"}}), with(pools, {{"rounds", "40"}})});
  const SettingList filter{{"sample", "20"}, {"edge_samples", "50"}, {"epsilon", "0.01"}};
  rows.push_back({"filterboost", {}, with(filter, {{"rounds", "6"}})});
  return rows;
}

TrainingResult train(Training& training, const EndlessWorld& endless) {
  return training.run(endless.world.dataset, *endless.features, endless.world.workers);
}

class EndlessData : public ::testing::TestWithParam<Row> {};

INSTANTIATE_TEST_SUITE_P(Rows, EndlessData, ::testing::ValuesIn(rows()),
                         [](const auto& info) { return fmt::format("row_{}", info.index); });

// Those that show data with an end in passes; filterboost draws with replacement from them.
class EndlessStream : public EndlessData {};

std::vector<Row> rows_in_passes() {
  std::vector<Row> all = rows();
  std::erase_if(all, [](const Row& row) { return row.few.empty(); });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Rows, EndlessStream, ::testing::ValuesIn(rows_in_passes()),
                         [](const auto& info) { return fmt::format("row_{}", info.index); });

TEST_P(EndlessData, AreLearnedFrom) {
  const EndlessWorld endless(kHeld, 3);
  Training training = training_of(GetParam().name, GetParam().many);
  EXPECT_TRUE(training.other_booster->traits().takes_endless);
  train(training, endless);
  double first = 0, last = 0;
  for (const RoundEvent& event : training.events.rounds) {
    if (event.round <= 3) first += event.train_loss_log10 / 3;
    last = event.train_loss_log10;
  }
  EXPECT_LT(last, first);
}

TEST_P(EndlessData, AreMadeWhenTheyCome) {
  const EndlessWorld endless(kHeld, 3);
  endless.images->forget();
  Training training = training_of(GetParam().name, GetParam().many);
  training.sampler = "full";
  train(training, endless);
  const auto& counts = endless.images->counts();
  EXPECT_GT(counts.size(), 2 * kHeld) << "several times as many as are held";
  EXPECT_EQ(endless.world.dataset.train.pixels.size(), kHeld * sizeof(std::uint32_t));
  EXPECT_TRUE(std::ranges::all_of(counts, [](const auto& c) { return c.first >= kHeld; }))
      << "those that are held are not made";
}

TEST_P(EndlessData, SameModelForAnyThreadsAndAfterAnInterruption) {
  for (const std::size_t num_classes : {2u, 3u}) {
    const EndlessWorld one(kHeld, num_classes), three(kHeld, num_classes, 3);
    Training whole = training_of(GetParam().name, GetParam().many),
             threads = training_of(GetParam().name, GetParam().many);
    whole.sampler = threads.sampler = "lazyboost";
    const TrainingResult expected = train(whole, one);
    EXPECT_EQ(train(threads, three).model, expected.model);
    for (const std::uint32_t stop_after : {1u, 4u, 17u}) {
      if (stop_after >= expected.num_rounds) continue;
      testing::ScratchFolder folder;
      Training cut = training_of(GetParam().name, GetParam().many);
      cut.sampler = "lazyboost";
      cut.checkpoint = folder / "run.ckpt";
      cut.stop_after = stop_after;
      EXPECT_EQ(train(cut, one).status, TrainingStatus::kStopped);
      cut.stop_after = 0;
      const TrainingResult resumed = train(cut, one);
      EXPECT_EQ(resumed.model, expected.model) << "after round " << stop_after;
      EXPECT_EQ(cut.events.rounds.back().train_loss_log10, whole.events.rounds.back().train_loss_log10);
    }
  }
}

// As long as there are no more than are held, it is as if there were no others.
TEST_P(EndlessStream, BeginsWithThoseThatAreHeld) {
  const EndlessWorld endless(kHeld, 3), finite(kHeld, 3, 1, false);
  Training of_endless = training_of(GetParam().name, GetParam().few),
           of_finite = training_of(GetParam().name, GetParam().few);
  const TrainingResult a = train(of_endless, endless), b = train(of_finite, finite);
  EXPECT_EQ(a.model, b.model);
  EXPECT_EQ(a.meters.fe, b.meters.fe);
}

// With all features looked at, a heuristic is shown each example once, when it comes.
TEST(EndlessReservoir, HasEachExampleMadeOnce) {
  const EndlessWorld endless(kHeld, 2);
  Training training = training_of("reservoir", {{"size", "50"}, {"fresh", "30"}, {"rounds", "20"}});
  training.sampler = "full";
  train(training, endless);
  const auto& counts = endless.images->counts();
  EXPECT_EQ(counts.size(), 50u + 20u * 30u - kHeld) << "those that are held need not be made";
  for (const auto& [example, count] : counts) EXPECT_EQ(count, 1u) << example;
}

}  // namespace
}  // namespace mash
