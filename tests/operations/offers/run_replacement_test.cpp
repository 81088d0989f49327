// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/run_replacement.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "tests/support/heard_remarks.hpp"
#include "tests/support/offer_space.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using ::testing::HasSubstr;
using testing::OfferSpace;
using testing::PlantedClasses;

constexpr std::size_t kGood = 2, kNewcomer = 3;

FakeFamily planted_rival(std::string id, std::uint64_t number, double strength) {
  return PlantedClasses().family(std::move(id), number, strength);
}

// A pool of two families that know a little and one that knows much, beside a newcomer.
struct ReplacementSpace : OfferSpace {
  explicit ReplacementSpace(FakeFamily newcomer, int num_threads = 2)
      : OfferSpace(PlantedClasses().dataset(), with(std::move(newcomer)), num_threads) {
    settings.most_seeds = 32;
  }

  Result<ReplacementTest> try_run() {
    return run_replacement_test(*space, {"newcomer", {kNewcomer}}, {"good", {kGood}}, settings,
                                {world.workers, no_progress(), remarks, world.stop});
  }
  ReplacementTest run() {
    auto test = try_run();
    if (!test.ok()) throw std::runtime_error(test.error().message);
    return *std::move(test);
  }

  testing::HeardRemarks remarks;

 private:
  static std::vector<FakeFamily> with(FakeFamily newcomer) {
    std::vector<FakeFamily> families = PlantedClasses().pool();
    families.push_back(planted_rival("good", 3, 1.2));
    families.push_back(std::move(newcomer));
    return families;
  }
};

ReplacementFinding finding_of(const ReplacementTest& test) { return finding_of(test.looks.back(), 1); }

TEST(ReplacementTest, ACopyCouldReplaceWhatItIsACopyOf) {
  ReplacementSpace space(planted_rival("copy", 3, 1.2));
  const ReplacementTest test = space.run();
  EXPECT_EQ(finding_of(test), ReplacementFinding::kCould);
  EXPECT_NEAR(test.looks.back().ratio(), 1, .2);
  EXPECT_THAT(space.remarks.told[0], HasSubstr("in the place of good, after 4 seeds"));
  const OfferTest beside =
      *run_offer_test(*space.space, {"copy", {kNewcomer}}, space.settings, space.world.work);
  EXPECT_GT(test.looks[0].own.gain, 2 * beside.looks[0].gain) << "beside the good one it adds little";
}

TEST(ReplacementTest, NoiseAndWhatKnowsHalfAsMuchCannot) {
  EXPECT_EQ(finding_of(ReplacementSpace(planted_rival("noise", 7, 0)).run()), ReplacementFinding::kCannotYet);
  const ReplacementTest half = ReplacementSpace(planted_rival("half", 8, .9)).run();
  EXPECT_EQ(finding_of(half), ReplacementFinding::kCannotYet);
  EXPECT_NEAR(half.looks.back().ratio(), .5, .2);
}

TEST(ReplacementTest, WhatGainsNothingHasNoPlaceToTake) {
  ReplacementSpace space(planted_rival("better", 9, 1.2));
  space.settings.relevant = 100;
  EXPECT_EQ(finding_of(space.run().looks.back(), 100), ReplacementFinding::kNothingToReplace);
}

// Both are tested as the offer test of each beside the rest is.
TEST(ReplacementTest, GainsAreThoseOfOfferTestsBesideTheRest) {
  ReplacementSpace space(planted_rival("half", 8, .9));
  const ReplacementTest test = space.run();
  const FeatureSet all = space.world.features().subset(std::vector<std::size_t>{0, 1, kGood, kNewcomer});
  for (const std::size_t offered : {kNewcomer, kGood}) {
    space.space->features = all.subset(std::vector<std::size_t>{0, 1, offered});
    const auto alone = run_offer_test(*space.space, {"one", {2}}, space.settings, space.world.work);
    ASSERT_TRUE(alone.ok());
    const ReplacementAtLook& first = test.looks[0];
    EXPECT_EQ(alone->looks[0], offered == kGood ? first.replaced : first.own);
    EXPECT_EQ(alone->num_played, 0u) << "what it needs is kept";
  }
}

TEST(ReplacementTest, TheSameBitsForAnyNumberOfThreadsAndAfterAnInterruption) {
  ReplacementSpace whole(planted_rival("half", 8, .9), 3), parted(planted_rival("half", 8, .9), 1);
  whole.settings.most_seeds = 8;
  const ReplacementTest expected = whole.run();
  ASSERT_EQ(expected.looks.size(), 2u);
  parted.settings.most_seeds = 4;
  EXPECT_EQ(parted.run().num_played, 4u);
  parted.settings.most_seeds = 8;
  const ReplacementTest test = parted.run();
  EXPECT_EQ(test.looks, expected.looks);
  EXPECT_EQ(test.num_found, 4u);
  EXPECT_EQ(parted.run().num_played, 0u);
}

TEST(ReplacementTest, EndsWithItsTimeAndWhereItIsStopped) {
  ReplacementSpace space(planted_rival("copy", 3, 1.2));
  space.settings.seconds = 0;
  EXPECT_EQ(space.run().looks.size(), 1u) << "the first look is taken whatever it takes";
  ReplacementSpace stopped(planted_rival("copy", 3, 1.2));
  stopped.world.stop.raise();
  const auto test = stopped.try_run();
  ASSERT_FALSE(test.ok());
  EXPECT_EQ(test.error().kind, ErrorKind::kStopped);
}

TEST(ReplacementTest, RefusesWhatIsNotFiniteWhereThatIsAsked) {
  ReplacementSpace space({"fails", 12, [](std::uint32_t n, std::uint32_t) {
                            return n % 7 == 0 ? std::numeric_limits<float>::quiet_NaN() : float(n % 5);
                          }});
  space.open_anew(0);
  EXPECT_TRUE(space.try_run().ok());
  space.space->strict = true;
  const auto strict = space.try_run();
  ASSERT_FALSE(strict.ok());
  EXPECT_THAT(strict.error().message, HasSubstr("heuristic fails"));
}

TEST(FindReplaced, TakesIdsNamesAndTheNearest) {
  ReplacementSpace space(planted_rival("copy", 3, 1.2));
  const std::vector<Neighbour> neighbours{{1, .9, .5, .5}, {0, .2, .1, .1}, {2, .1, .1, .1}};
  const auto find = [&](std::string_view name) {
    return find_replaced(*space.space, {"copy", {kNewcomer}}, name, neighbours);
  };
  EXPECT_EQ(find("good")->families, FamilySubset{kGood});
  EXPECT_EQ(find("nearest")->families, FamilySubset{1});
  EXPECT_EQ(find("nearest")->name, "two");
  const auto unknown = find("hogg");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind, ErrorKind::kInput);
  EXPECT_EQ(unknown.error().message,
            "replace: found 'hogg'; expected 'nearest' or a heuristic of the pool: one, two, good");
  EXPECT_THAT(find("copy").error().message, HasSubstr("found 'copy', which is the one that is tried"));
}

}  // namespace
}  // namespace mash
