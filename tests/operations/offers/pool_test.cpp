// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/pool.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <span>
#include <thread>

#include "framework/analysis/looks.hpp"
#include "framework/base/loss_sums.hpp"
#include "framework/base/rank_sets.hpp"
#include "framework/operations/offers/measure_board.hpp"
#include "tests/support/heard_remarks.hpp"
#include "tests/support/offer_space.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::OfferSpace;
using testing::PlantedClasses;

struct Pool : OfferSpace {
  explicit Pool(int num_threads, std::vector<FakeFamily> families = mixed_families())
      : OfferSpace(PlantedClasses(900, 200).dataset(), std::move(families), num_threads) {}

  std::vector<OfferTest> run() { return run(world.work); }
  std::vector<OfferTest> run(const WorkContext& work) {
    auto tests = run_pool_offers(*space, members(), settings, work);
    if (!tests.ok()) throw std::runtime_error(tests.error().message);
    return *std::move(tests);
  }

  std::vector<PoolMember> members() const { return heuristics_of(space->features, world.workers); }

  // The last look at each heuristic by that side.
  std::vector<OfferRow> kept(std::string_view side) const {
    std::vector<std::string> names;
    for (const FamilyInfo& family : space->features.families()) names.push_back(family.spec.name);
    const auto offers =
        latest_offers(space->records, space->dataset->fingerprint, side, family_set_key(names));
    if (!offers.ok()) throw std::runtime_error(offers.error().message);
    std::vector<OfferRow> rows;
    for (const PastOffer& past : *offers) rows.push_back(past.offer);
    return rows;
  }

  // Files that are kept of the tests: when each file was written last, by name.
  std::map<std::string, std::filesystem::file_time_type> files() const {
    std::map<std::string, std::filesystem::file_time_type> files;
    for (const auto& file : std::filesystem::directory_iterator(world.folder / "offers"))
      files[file.path().filename().string()] = file.last_write_time();
    return files;
  }

 private:
  static std::vector<FakeFamily> mixed_families() {
    const PlantedClasses classes(900, 200);
    return {classes.family("good", 3, 1.2), classes.family("little", 1, .5), classes.family("noise", 5, 0),
            classes.family("some", 2, .7)};
  }
};

TEST(PoolOffers, FindWhatEachFamilyAdds) {
  Pool pool(2);
  const std::vector<OfferTest> tests = pool.run();
  ASSERT_EQ(tests.size(), 4u);
  const auto gain = [&](std::size_t k) { return tests[k].looks.back().gain; };
  EXPECT_EQ(decision_of(tests[0].looks.back().interval, 1), GainDecision::kAdds);
  EXPECT_GT(gain(0), gain(3));
  EXPECT_GT(gain(3), gain(2));
  EXPECT_NE(decision_of(tests[2].looks.back().interval, 1), GainDecision::kAdds) << "noise";
}

// As a test of the family by itself, whose pool never had it.
TEST(PoolOffers, AgreeWithTestsOfEachForItself) {
  Pool pool(2);
  const std::vector<OfferTest> tests = pool.run();
  for (const std::size_t k : {std::size_t(0), std::size_t(2), std::size_t(3)}) {
    const auto alone = run_offer_test(*pool.space, {"one", {k}}, pool.settings, pool.world.work);
    ASSERT_TRUE(alone.ok());
    const GainAtLook& one = alone->looks.back();
    const GainAtLook& all = tests[k].looks.back();
    EXPECT_NEAR(one.gain, all.gain, 3 * (one.error.standard_error() + all.error.standard_error()) + 1);
  }
}

// The same of a heuristic with two families, which come and go together.
TEST(PoolOffers, AHeuristicIsOfferedWithAllItsFamilies) {
  Pool pool(2);
  const FamilyGroup both{"both", {0, 3}};
  const auto tests =
      run_pool_offers(*pool.space, std::vector<PoolMember>{{both, {}}}, pool.settings, pool.world.work);
  ASSERT_TRUE(tests.ok());
  const auto alone = run_offer_test(*pool.space, both, pool.settings, pool.world.work);
  ASSERT_TRUE(alone.ok());
  const GainAtLook& one = alone->looks.back();
  const GainAtLook& of_pool = (*tests)[0].looks.back();
  EXPECT_EQ((*tests)[0].wins.size(), 24u);
  EXPECT_GT(of_pool.interval.low, 0);
  EXPECT_NEAR(one.gain, of_pool.gain, 3 * (one.error.standard_error() + of_pool.error.standard_error()) + 1);
}

TEST(PoolOffers, TheSameBitsForAnyNumberOfThreadsAndAfterAnInterruption) {
  Pool whole(3), parted(1);
  const std::vector<OfferTest> expected = whole.run();
  parted.settings.most_seeds = 4;
  parted.run();
  parted.settings.most_seeds = 8;
  const std::vector<OfferTest> tests = parted.run();
  for (std::size_t k = 0; k < tests.size(); ++k) {
    EXPECT_EQ(tests[k].looks, expected[k].looks);
    EXPECT_GE(tests[k].num_found, 4u);
    EXPECT_EQ(tests[k].wins, expected[k].wins);
  }
  for (const OfferTest& again : parted.run()) EXPECT_EQ(again.num_played, 0u);
}

// A power cut may leave files that are there and are not whole: their seeds are played again, within the time
// and the pool of a seed once.
TEST(PoolOffers, DamagedFilesAreMadeAnew) {
  Pool pool(3);
  const std::vector<OfferTest> before = pool.run();
  for (const auto& [name, written] : pool.files())
    std::filesystem::resize_file(pool.world.folder / "offers" / name, 100);
  const std::vector<OfferTest> after = pool.run();
  for (std::size_t k = 0; k < after.size(); ++k) {
    EXPECT_EQ(after[k].looks, before[k].looks);
    EXPECT_EQ(after[k].num_played, after[k].losses.num_seeds());
    EXPECT_EQ(after[k].num_found, 0u);
  }
  for (const auto& [name, written] : pool.files())
    std::filesystem::resize_file(pool.world.folder / "offers" / name, 100);
  pool.settings.seconds = 0;
  for (const OfferTest& test : pool.run()) EXPECT_EQ(test.losses.num_seeds(), 4u) << "time is out for those";
}

// The family that surely adds something is offered on until that is known as well as what adds nothing.
TEST(PoolOffers, WhatIsDecidedIsThenKnownBetter) {
  Pool pool(2);
  pool.settings.most_seeds = 128;
  pool.settings.half_width = 100;
  const OfferTest decided = pool.run()[0];
  const Interval& wide = decided.looks.back().interval;
  ASSERT_GT(wide.low, 0);
  ASSERT_LT(decided.losses.num_seeds(), 128u);
  pool.settings.half_width = .6 * (wide.high - wide.low) / 2;
  const OfferTest narrow = pool.run()[0];
  EXPECT_LE(narrow.looks.back().interval.high - narrow.looks.back().interval.low,
            2 * pool.settings.half_width);
  EXPECT_GT(narrow.losses.num_seeds(), decided.losses.num_seeds());
  EXPECT_EQ(narrow.num_found, decided.losses.num_seeds()) << "the same seeds, and more";
  pool.settings.half_width = 1e-3;
  EXPECT_EQ(pool.run()[0].losses.num_seeds(), decided.losses.num_seeds()) << "128 seeds would not do";
}

TEST(PoolOffers, StopWhenTheyAreAskedTo) {
  Pool pool(2);
  pool.world.stop.raise();
  const auto tests = run_pool_offers(*pool.space, pool.members(), pool.settings, pool.world.work);
  ASSERT_FALSE(tests.ok());
  EXPECT_EQ(tests.error().kind, ErrorKind::kStopped);
}

TEST(PoolOffers, AreKeptAsOfTheSideThatJudged) {
  Pool pool(2);
  pool.settings.most_seeds = 4;
  const auto keep = [&] {
    return keep_pool_offers(*pool.space, "e", pool.members(), pool.settings, pool.world.work);
  };
  const auto held_out = keep();
  ASSERT_TRUE(held_out.ok());
  EXPECT_EQ(pool.kept(kHeldOutSide).size(), 4u);
  EXPECT_EQ(pool.kept(kTestSide).size(), 0u) << "which no report looks at";
  pool.settings.judges = Judges::kTest;
  const auto on_test = keep();
  ASSERT_TRUE(on_test.ok());
  const std::vector<OfferRow> rows = pool.kept(kTestSide);
  ASSERT_EQ(rows.size(), 4u);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k].heuristic, (*on_test)[k].heuristic);
    EXPECT_EQ(rows[k].gain, (*on_test)[k].figures.last.gain);
    EXPECT_NE(rows[k].gain, (*held_out)[k].figures.last.gain);
    EXPECT_EQ(rows[k].base, kSharedBase);
    EXPECT_EQ(rows[k].experiment, "e");
  }
  EXPECT_EQ(pool.kept(kHeldOutSide)[0].gain, (*held_out)[0].figures.last.gain) << "as before";
}

TEST(PoolOffers, OneOfTheFamiliesOfAHeuristicIsNotKeptAsTheHeuristic) {
  Pool pool(2);
  pool.settings.most_seeds = 4;
  pool.world.specs[1].heuristic.id = pool.world.specs[0].heuristic.id;
  pool.world.specs[1].settings = "cells=2";
  pool.open_anew();
  const auto members = pool.members();
  ASSERT_EQ(members.size(), 3u) << "of four families";
  EXPECT_EQ(members[0].families.families, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(members[0].neighbours.size(), 2u);
  std::vector<PoolMember> families;
  for (std::size_t k = 0; k < 4; ++k)
    families.push_back({{pool.space->features.families()[k].spec.name, {k}}, members[2].neighbours});
  ASSERT_TRUE(keep_pool_offers(*pool.space, "e", families, pool.settings, pool.world.work).ok());
  EXPECT_EQ(pool.kept(kHeldOutSide).size(), 2u);
  ASSERT_TRUE(keep_pool_offers(*pool.space, "e", members, pool.settings, pool.world.work).ok());
  EXPECT_EQ(pool.kept(kHeldOutSide).size(), 3u);
}

// A rebuilt family has the same name and may compute other features: the new test counts, though of fewer
// seeds.
TEST(PoolOffers, BesideARebuiltFamilyTheyAreRecordedAnew) {
  Pool pool(2);
  const auto keep = [&] {
    return keep_pool_offers(*pool.space, "e", pool.members(), pool.settings, pool.world.work).ok();
  };
  pool.settings.half_width = 1e-3;
  ASSERT_TRUE(keep());
  const OfferRow before = pool.kept(kHeldOutSide)[2];
  EXPECT_EQ(before.num_seeds, 8u);
  pool.world.specs[1].heuristic.plugin_sha256 = "rebuilt";
  pool.open_anew();
  pool.settings.most_seeds = 4;
  ASSERT_TRUE(keep());
  const OfferRow after = pool.kept(kHeldOutSide)[2];
  EXPECT_EQ(after.heuristic, before.heuristic);
  EXPECT_EQ(after.num_seeds, 4u);
  EXPECT_NE(after.trained_by, before.trained_by);
}

// The experiment that the pool could be of.
Experiment experiment() {
  Experiment experiment;
  experiment.name = "e";
  experiment.booster.name = "adaboost.mh";
  experiment.weak.name = "stump";
  experiment.sampler.name = "laminating";
  experiment.sampler.settings.add("features", "8", "e.yaml:4");
  return experiment;
}

TEST(MeasureBoard, TheTestSideJudgesEveryHeuristicAndGoesOnWhereItStopped) {
  Pool pool(2);
  BoardSettings settings{.most_seeds = 4};
  ASSERT_TRUE(measure_board(*pool.space, experiment(), settings, pool.world.work).ok());
  const std::vector<OfferRow> first = pool.kept(kTestSide);
  ASSERT_EQ(first.size(), 4u);
  EXPECT_EQ(first[0].heuristic, "good");
  EXPECT_GT(first[0].gain, first[2].gain) << "noise";
  for (const OfferRow& row : first) EXPECT_EQ(row.num_seeds, 4u);
  EXPECT_EQ(pool.kept(kHeldOutSide).size(), 0u);
  const auto before = pool.files();
  settings.most_seeds = 8;
  ASSERT_TRUE(measure_board(*pool.space, experiment(), settings, pool.world.work).ok());
  const auto after = pool.files();
  EXPECT_GT(after.size(), before.size());
  for (const auto& [name, written] : before)
    EXPECT_EQ(after.at(name), written) << name << " is not made anew";
  const std::vector<OfferRow> second = pool.kept(kTestSide);
  ASSERT_EQ(second.size(), 4u);
  EXPECT_EQ(second[2].num_seeds, 8u);
}

// Three families of noise, which are hardly told apart, and one that adds much.
std::vector<FakeFamily> near_families() {
  const PlantedClasses classes(900, 200);
  return {classes.family("good", 3, 1.2), classes.family("one", 5, 0), classes.family("two", 6, 0),
          classes.family("three", 7, 0)};
}

// Those that are decided soon have as many seeds as the others; then those that are not told apart have more,
// up to the most.
TEST(MeasureBoard, AllHaveTheSameSeedsAndTheLeastCertainMore) {
  Pool pool(2, near_families());
  pool.settings.is_for_ranks = true;
  pool.settings.most_seeds = 32;
  const std::vector<OfferTest> tests = pool.run();
  std::size_t num_more = 0;
  for (const OfferTest& test : tests) {
    EXPECT_GE(test.losses.num_seeds(), kRankedSeeds);
    EXPECT_LE(test.losses.num_seeds(), 32u);
    EXPECT_EQ(test.sums.size(), test.looks.size());
    num_more += test.losses.num_seeds() > kRankedSeeds;
  }
  const std::vector<OfferTest> again = pool.run();
  for (std::size_t k = 0; k < tests.size(); ++k) {
    EXPECT_EQ(again[k].looks, tests[k].looks) << "the same choice";
    EXPECT_EQ(again[k].num_played, 0u);
  }
  pool.settings.seconds = 0;
  for (const auto& file : std::filesystem::directory_iterator(pool.world.folder / "offers"))
    std::filesystem::remove(file);
  for (const OfferTest& test : pool.run()) EXPECT_EQ(test.losses.num_seeds(), 4u) << "the time is out";
  EXPECT_GT(num_more, 0u);
}

// The ranks of all after that number of seeds of each.
std::vector<RankSet> sets_after(std::span<const OfferTest> tests, std::span<const std::size_t> num_seeds) {
  SeedLevels levels;
  std::vector<std::int64_t> entries;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    entries.push_back(std::int64_t(i));
    for (const GainSums& sums : tests[i].sums)
      if (sums.z.of_seeds.size() <= num_seeds[i]) levels.put(std::int64_t(i), sums);
  }
  return rank_sets(tests.size(), levels.among(entries), kMiss / double(kLooks.size()));
}

// Two are told apart by the seeds that both have: one far ahead of the others would learn nothing.
TEST(MeasureBoard, TheSeedsOfThoseWhoseOrderIsOpenDifferByOneDoublingAtMost) {
  Pool pool(2, near_families());
  pool.settings.is_for_ranks = true;
  pool.settings.most_seeds = 64;
  testing::HeardRemarks remarks;
  const std::vector<OfferTest> tests =
      pool.run({pool.world.workers, no_progress(), remarks, pool.world.stop});
  std::vector<std::size_t> num_seeds(tests.size(), kRankedSeeds);
  std::size_t num_looks = 0;
  for (const std::string& line : remarks.told)
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const std::string& name = pool.space->features.families()[i].spec.name;
      if (!line.starts_with(fmt::format("{}: {} seeds, ", name, 2 * num_seeds[i]))) continue;
      num_seeds[i] *= 2;
      ++num_looks;
      const auto sets = sets_after(tests, num_seeds);
      for (std::size_t k = 0; k < sets.size(); ++k)
        for (const std::size_t other : sets[k].open_to_seeds) {
          EXPECT_LE(num_seeds[k], 2 * num_seeds[other]) << line;
          EXPECT_LE(num_seeds[other], 2 * num_seeds[k]) << line;
        }
      break;
    }
  EXPECT_GT(num_looks, 0u);
  for (std::size_t i = 0; i < tests.size(); ++i)
    EXPECT_EQ(num_seeds[i], tests[i].losses.num_seeds()) << "of all looks";
}

// Time is out as soon as a look begins to train the pool for more seeds.
class SlowPoolProgress final : public Progress {
 public:
  void start(std::string task, std::size_t total, std::string) override {
    if (task != "training the pool" || total == 0) return;
    const Stopwatch watch;
    while (watch.seconds() < kSeconds) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  void advance(std::size_t) override {}
  void note(std::string) override {}
  void finish() override {}

  static constexpr double kSeconds = 1;
};

TEST(MeasureBoard, ThePoolIsNotTrainedForSeedsThatNoTimeIsLeftFor) {
  Pool pool(2);
  pool.settings.is_for_ranks = true;
  pool.settings.most_seeds = 8;
  pool.settings.seconds = 0;
  pool.run();
  const auto first_look = pool.files();
  SlowPoolProgress slow;
  pool.settings.seconds = SlowPoolProgress::kSeconds;
  const auto tests = pool.run({pool.world.workers, slow, no_remarks(), pool.world.stop});
  for (const OfferTest& test : tests) EXPECT_EQ(test.losses.num_seeds(), 4u);
  EXPECT_EQ(pool.files().size(), first_look.size()) << "no seed was begun";
  pool.settings.seconds = 60;
  pool.run();
  EXPECT_GT(pool.files().size(), first_look.size());
}

TEST(MeasureBoard, SaysWhatABoardOfItsPoolCanTellApart) {
  Pool pool(2);
  const auto resolution = measure_resolution(*pool.space, experiment(), pool.world.work);
  ASSERT_TRUE(resolution.ok()) << resolution.error().message;
  EXPECT_EQ(resolution->num_pictures, 200u);
  EXPECT_EQ(resolution->num_offered, 2u) << "of four families, beside the two others";
  EXPECT_NE(resolution->gain, 0);
  EXPECT_GT(resolution->wrong, 0);
  EXPECT_LT(resolution->wrong, 200);
  ASSERT_EQ(resolution->at.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_GT(resolution->at[i].half_width, 0);
    EXPECT_GE(resolution->at[i].difference, resolution->of_pictures);
    if (i == 0) continue;
    EXPECT_LT(resolution->at[i].half_width, resolution->at[i - 1].half_width) << "more seeds tell more";
    EXPECT_LT(resolution->at[i].difference, resolution->at[i - 1].difference);
  }
  pool.space->features = pool.world.features().subset(std::vector<std::size_t>{2});
  const auto alone = measure_resolution(*pool.space, experiment(), pool.world.work);
  ASSERT_FALSE(alone.ok());
  EXPECT_EQ(alone.error().message, "experiment e: found 1 families, expected two at least");
}

TEST(MeasureBoard, OneHeuristicHasNothingBesideIt) {
  Pool pool(2);
  pool.space->features = pool.world.features().subset(std::vector<std::size_t>{2});
  const Status measured = measure_board(*pool.space, experiment(), {}, pool.world.work);
  ASSERT_FALSE(measured.ok());
  EXPECT_EQ(measured.error().kind, ErrorKind::kInput);
  EXPECT_EQ(measured.error().message,
            "experiment e: found one heuristic (noise), expected two at least: each is offered beside the "
            "others");
}

TEST(PoolOffers, TimeEndsThemAfterTheFirstLook) {
  Pool pool(2);
  pool.settings.seconds = 0;
  for (const OfferTest& test : pool.run()) EXPECT_EQ(test.losses.num_seeds(), 4u);
}

}  // namespace
}  // namespace mash
