// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/run_offer.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <numeric>

#include "tests/support/offer_space.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::OfferSpace;
using testing::PlantedClasses;

constexpr std::size_t kOfferedTrain = 900, kOfferedTest = 300;

FakeFamily planted_newcomer(std::string id, std::uint64_t number, double strength) {
  return PlantedClasses(kOfferedTrain, kOfferedTest).family(std::move(id), number, strength);
}

// A pool of two families that know a little, beside a newcomer.
struct Space : OfferSpace {
  explicit Space(FakeFamily newcomer, int num_threads = 2,
                 std::vector<FakeFamily> families = PlantedClasses(kOfferedTrain, kOfferedTest).pool(),
                 std::size_t num_test = 0)
      : OfferSpace(PlantedClasses(kOfferedTrain, num_test).dataset(),
                   with(std::move(families), std::move(newcomer)), num_threads) {
    group = {"newcomer", {space->features.num_families() - 1}};
    settings.in_detail = true;
  }

  Result<OfferTest> try_run() { return run_offer_test(*space, group, settings, world.work); }
  OfferTest run() {
    auto test = try_run();
    if (!test.ok()) throw std::runtime_error(test.error().message);
    return *std::move(test);
  }

  FamilyGroup group;

 private:
  static std::vector<FakeFamily> with(std::vector<FakeFamily> families, FakeFamily newcomer) {
    families.push_back(std::move(newcomer));
    return families;
  }
};

TEST(OfferTest, FindsWhatIsPlanted) {
  const OfferTest good = Space(planted_newcomer("good", 3, 1.2)).run();
  EXPECT_EQ(decision_of(good.looks.back().interval, 1), GainDecision::kAdds);
  EXPECT_GT(good.progress, 0);
  EXPECT_GT(good.num_wins, good.num_duels / 3);
  EXPECT_EQ(good.num_duels, 20 * good.losses.num_seeds());
  EXPECT_GT(good.single_error, .3) << "each feature tells one class of four";
  EXPECT_LT(good.single_error, .75) << "but better than by chance";
  FakeFamily leak{"leak", 1, [classes = PlantedClasses()](std::uint32_t n, std::uint32_t) {
                    return float(classes.label(n));
                  }};
  const OfferTest leaked = Space(leak).run();
  EXPECT_GT(leaked.looks.back().gain, 30) << "one feature that is the class";
  EXPECT_EQ(leaked.single_error, 0);
}

// A family of the pool that is the class: the pool makes no mistake, and the newcomer's gain is not told.
TEST(OfferTest, WhereThePoolGetsAllRightThereIsNothingToLearn) {
  std::vector<FakeFamily> pool = PlantedClasses(kOfferedTrain, kOfferedTest).pool();
  pool.push_back({"answer", 4, [classes = PlantedClasses()](std::uint32_t n, std::uint32_t j) {
                    return float(classes.label(n) == j);
                  }});
  Space space(planted_newcomer("good", 3, 1.2), 2, std::move(pool));
  const OfferTest test = space.run();
  const OfferFigures figures = figures_of(*space.space, space.group, test, 1);
  EXPECT_LT(test.pool_wrong, 1);
  EXPECT_EQ(figures.num_judges, test.labels.size());
  EXPECT_EQ(verdict_of(figures), OfferVerdict::kNothingToLearn);
  for (const GainAtLook& look : test.looks) EXPECT_LT(look.interval.high - look.interval.low, 200);
}

// One that adds for certain goes on until its gain is known well enough.
TEST(OfferTest, GoesOnUntilAPrecisionIsReached) {
  Space space(planted_newcomer("good", 3, 1.2));
  space.settings.most_seeds = 128;
  const OfferTest decided = space.run();
  const Interval wide = decided.looks.back().interval;
  const double half_width = (wide.high - wide.low) / 2;
  space.settings.precision = .8 * half_width;
  const OfferTest narrow = space.run();
  EXPECT_GT(narrow.losses.num_seeds(), decided.losses.num_seeds());
  EXPECT_LE(narrow.looks.back().interval.high - narrow.looks.back().interval.low, 2 * .8 * half_width);
  ASSERT_EQ(narrow.sums.size(), narrow.looks.size());
  EXPECT_EQ(narrow.sums.back().gain, narrow.looks.back().gain);
  EXPECT_EQ(narrow.sums.back().z.of_seeds.size(), narrow.losses.num_seeds());
  space.settings.precision = 1e-9;
  space.settings.most_seeds = 8;
  EXPECT_EQ(space.run().losses.num_seeds(), 8u) << "the most";
}

TEST(OfferTest, TellsOfEachLookBeforeItsSeedsArePlayedAndAfterIt) {
  Space space(planted_newcomer("weak", 3, .3));
  space.settings.most_seeds = 8;
  std::vector<std::string> heard;
  space.settings.on_play = [&](const Look& look) { heard.push_back(fmt::format("play {}", look.num_seeds)); };
  space.settings.on_seed = [&](std::span<const double>) {
    if (heard.back() != "seed") heard.push_back("seed");
  };
  space.settings.on_look = [&](const OfferTest& test) {
    heard.push_back(fmt::format("look {}", test.looks.back().look.num_seeds));
  };
  space.run();
  EXPECT_THAT(heard, ::testing::ElementsAre("play 4", "seed", "look 4", "play 8", "seed", "look 8"));
}

TEST(OfferTest, GoesOnFromWhereItStopped) {
  Space space(planted_newcomer("weak", 3, .3));
  space.settings.most_seeds = 4;
  const OfferTest first = space.run();
  EXPECT_EQ(first.num_played, 4u);
  space.settings.most_seeds = 8;
  const OfferTest more = space.run();
  EXPECT_EQ(more.looks[0], first.looks[0]) << "the look that was taken is taken as it was";
  ASSERT_EQ(more.looks.size(), 2u);
  EXPECT_EQ(more.num_found, 4u);
  Space fresh(planted_newcomer("weak", 3, .3), 3);
  const OfferTest whole = fresh.run();
  EXPECT_EQ(whole.looks, more.looks) << "and the whole, in one go and with other threads, is the same";
  for (std::size_t n = 0; n < whole.examples.size(); ++n)
    EXPECT_EQ(whole.examples[n].gain, more.examples[n].gain);
  EXPECT_EQ(whole.rivals[1].part.gain, more.rivals[1].part.gain);
  EXPECT_EQ(whole.wins, more.wins);
  const OfferTest again = space.run();
  EXPECT_EQ(again.num_played, 0u);
  EXPECT_EQ(again.looks, more.looks);
}

TEST(OfferTest, DamagedFilesAreMadeAnew) {
  Space space(planted_newcomer("weak", 3, .3));
  const OfferTest before = space.run();
  std::size_t num_files = 0;
  for (const auto& file : std::filesystem::directory_iterator(space.world.folder / "offers")) {
    if (++num_files % 2 == 0)
      std::filesystem::resize_file(file.path(), 100);
    else
      std::ofstream(file.path(), std::ios::app) << "x";
  }
  EXPECT_EQ(num_files, 2 * before.losses.num_seeds()) << "the pool's part and the newcomer's, of each seed";
  const OfferTest after = space.run();
  EXPECT_EQ(after.num_played, before.losses.num_seeds());
  EXPECT_EQ(after.looks, before.looks);
}

// The pool's part serves others, and is not made again.
TEST(OfferTest, WhatIsForgottenOfTheNewcomerIsPlayedAgain) {
  Space space(planted_newcomer("weak", 3, .3));
  const auto files = [&] {  // by name: when each was written last
    std::map<std::string, std::filesystem::file_time_type> files;
    for (const auto& file : std::filesystem::directory_iterator(space.world.folder / "offers"))
      files[file.path().filename().string()] = file.last_write_time();
    return files;
  };
  const OfferTest before = space.run();
  const std::size_t num_files = files().size();
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(
        forget_offer_test(*space.space, space.group, space.settings, KeptPart::kNewcomer, space.world.work)
            .ok());
  const auto left = files();
  EXPECT_EQ(2 * left.size(), num_files);
  const OfferTest after = space.run();
  EXPECT_EQ(after.num_played, before.losses.num_seeds());
  EXPECT_EQ(after.looks, before.looks);
  auto all = files();
  EXPECT_EQ(all.size(), num_files);
  for (const auto& [name, written] : left) EXPECT_EQ(all[name], written) << name;
  ASSERT_TRUE(
      forget_offer_test(*space.space, space.group, space.settings, KeptPart::kBoth, space.world.work).ok());
  EXPECT_TRUE(files().empty());
  EXPECT_EQ(space.run().looks, before.looks);
}

// The test side alone has values that are not finite: nothing but the rounds meets them.
TEST(OfferTest, WhatMetValuesThatAreNotFiniteIsPlayedAgainByALaterProgram) {
  const PlantedClasses classes(kOfferedTrain, kOfferedTest);
  const FakeFamily fails{"fails", 1, [classes](std::uint32_t n, std::uint32_t) {
                           return n < kOfferedTrain ? float(classes.label(n))
                                                    : std::numeric_limits<float>::quiet_NaN();
                         }};
  Space space(fails, 2, classes.pool(), kOfferedTest);
  space.settings.judges = Judges::kTest;
  space.settings.most_seeds = 4;
  space.open_anew(0);
  const OfferTest first = space.run();
  EXPECT_EQ(first.num_played, 4u);
  EXPECT_EQ(first.num_found, 0u);
  space.open_anew(0);
  const OfferTest again = space.run();
  EXPECT_EQ(again.num_played, 4u);
  EXPECT_EQ(again.looks, first.looks);
  EXPECT_GT(space.space->features.families_with_faults()[2].num_faults, 0u);
  space.space->strict = true;
  for (int i = 0; i < 2; ++i) {
    space.open_anew(0);
    const auto strict = space.try_run();
    ASSERT_FALSE(strict.ok()) << i;
    EXPECT_THAT(strict.error().message, ::testing::HasSubstr("heuristic fails"));
  }
}

TEST(OfferTest, WhatIsFiniteIsFoundAgainOnDemandToo) {
  Space space(planted_newcomer("weak", 3, .3));
  space.space->strict = true;
  space.settings.most_seeds = 4;
  space.open_anew(0);
  EXPECT_EQ(space.run().num_played, 4u);
  space.open_anew(0);
  EXPECT_EQ(space.run().num_played, 0u);
}

TEST(OfferTest, PartsAddUpToTheGain) {
  Space space(planted_newcomer("good", 3, 1.2));
  const OfferTest test = space.run();
  const double gain = test.looks.back().gain;
  std::map<std::string, double> of_trait;
  for (const SliceGain& slice : test.slices) of_trait[slice.trait] += slice.part.gain;
  EXPECT_EQ(of_trait.size(), 4u);
  for (const auto& [trait, sum] : of_trait) EXPECT_NEAR(sum, gain, 1e-9) << trait;
  double of_classes = 0, of_rivals = 0, of_examples = 0;
  for (const GainPart& part : test.classes) of_classes += part.gain;
  for (const RivalGain& rival : test.rivals) of_rivals += rival.part.gain;
  for (const ExampleChange& example : test.examples) of_examples += example.gain;
  EXPECT_NEAR(of_classes, gain, 1e-9);
  EXPECT_NEAR(of_rivals, gain, 1e-6) << "of scores with the precision of floats";
  EXPECT_NEAR(of_examples, gain, 1e-9);
  EXPECT_EQ(std::accumulate(test.wins.begin(), test.wins.end(), std::uint64_t(0)), test.num_wins);
}

TEST(OfferTest, TheTestSideJudgesWhereItIsAsked) {
  Space space(planted_newcomer("good", 3, 1.2));
  space.settings.judges = Judges::kTest;
  const auto without = space.try_run();
  ASSERT_FALSE(without.ok());
  EXPECT_THAT(without.error().message, ::testing::HasSubstr("0 test pictures to judge on"));
  Space with_test(planted_newcomer("good", 3, 1.2), 2, PlantedClasses(kOfferedTrain, kOfferedTest).pool(),
                  kOfferedTest);
  const OfferTest on_held_out = with_test.run();
  EXPECT_FALSE(on_held_out.held_out.empty());
  with_test.settings.judges = Judges::kTest;
  const OfferTest on_test = with_test.run();
  EXPECT_TRUE(on_test.held_out.empty());
  EXPECT_EQ(on_test.labels.size(), kOfferedTest);
  EXPECT_EQ(on_test.num_found, 0u) << "other examples train: nothing is shared";
  EXPECT_EQ(decision_of(on_test.looks.back().interval, 1), GainDecision::kAdds);
}

TEST(OfferTest, TellsWhatItCannotDo) {
  Space alone(planted_newcomer("alone", 3, .3), 2, {});
  const auto no_pool = alone.try_run();
  ASSERT_FALSE(no_pool.ok());
  EXPECT_THAT(no_pool.error().message, ::testing::HasSubstr("no other heuristic is in the pool"));
  Space stopped(planted_newcomer("weak", 3, .3));
  stopped.world.stop.raise();
  const auto stop = stopped.try_run();
  ASSERT_FALSE(stop.ok());
  EXPECT_EQ(stop.error().kind, ErrorKind::kStopped);
}

// Thirty families that say nothing, beside a pool whose part is trained once. Two looks spend .01, half of it
// on "adds": more than two of thirty would happen less than once in a thousand times.
TEST(OfferTest, NoiseSeldomAdds) {
  const testing::ScratchFolder shared;
  int num_adds = 0;
  for (std::uint64_t family = 0; family < 30; ++family) {
    Space space(planted_newcomer(fmt::format("noise-{}", family), 100 + family, 0));
    space.space->store = shared.path();
    num_adds += decision_of(space.run().looks.back().interval, 1) == GainDecision::kAdds;
  }
  EXPECT_LE(num_adds, 2);
}

}  // namespace
}  // namespace mash
