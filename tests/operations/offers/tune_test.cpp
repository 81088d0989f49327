// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/offers/tune.hpp"

#include <gmock/gmock.h>

#include "framework/operations/offers/variants.hpp"
#include "tests/support/offer_space.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::OfferSpace;
using testing::PlantedClasses;

// A pool of two families that know a little, and variants of a newcomer: the better, the larger their number.
struct Variants : OfferSpace {
  explicit Variants(std::vector<double> strengths, int num_threads = 2)
      : OfferSpace(PlantedClasses().dataset(), families(strengths), num_threads) {
    for (std::size_t i = 0; i < strengths.size(); ++i)
      groups.push_back({space->features.families()[i + 2].spec.name, {i + 2}});
    settings.most_seeds = 16;
    settings.seconds = 1e6;
  }

  TunedOffers run() const {
    auto tuned = tune_offers(*space, {0, 1}, groups, settings, world.work);
    if (!tuned.ok()) throw std::runtime_error(tuned.error().message);
    return *std::move(tuned);
  }

  std::vector<FamilyGroup> groups;

 private:
  static std::vector<FakeFamily> families(const std::vector<double>& strengths) {
    const PlantedClasses classes;
    std::vector<FakeFamily> all = classes.pool();
    for (std::size_t i = 0; i < strengths.size(); ++i)
      all.push_back(classes.family(std::string("v") + std::to_string(i), 10 + i, strengths[i]));
    return all;
  }
};

TEST(TuneOffers, FindsTheBestAndMeasuresItOnOtherPictures) {
  const TunedOffers tuned = Variants({0, .4, 1.2, .2}).run();
  EXPECT_EQ(tuned.standings.best, 2u);
  EXPECT_TRUE(tuned.standings.variants[0].is_surely_worse);
  EXPECT_GT(tuned.measured.interval.low, 0);
  EXPECT_EQ(tuned.measured.look.num_seeds, 16u);
  EXPECT_LE(tuned.num_choosing - tuned.num_measuring, 4u) << "halves of each of four classes";
  EXPECT_GT(tuned.num_measuring, 50u);
  EXPECT_EQ(tuned.undone, "");
  const VariantStanding &best = tuned.standings.variants[2], &worst = tuned.standings.variants[0];
  EXPECT_EQ(best.num_seeds, 16u);
  EXPECT_EQ(worst.num_seeds, 8u) << "the worse half is out after eight seeds";
  EXPECT_NEAR(best.than_first.gain, best.gain.gain - worst.gain.gain, 5);
  EXPECT_GT(worst.behind_best.interval.low, 0);
}

TEST(TuneOffers, GoesOnFromWhatIsKeptWithAnyNumberOfThreads) {
  Variants one({.2, .8, .6});
  one.settings.most_seeds = 4;
  const TunedOffers first = one.run();
  EXPECT_EQ(first.num_found, 0u);
  one.settings.most_seeds = 16;
  const TunedOffers more = one.run();
  EXPECT_EQ(more.num_found, 3u * 4 + 4) << "of the comparison, and of the measurement";
  const TunedOffers whole = Variants({.2, .8, .6}, 3).run();
  EXPECT_EQ(whole.measured, more.measured);
  EXPECT_EQ(whole.standings.best, more.standings.best);
  for (std::size_t v = 0; v < 3; ++v)
    EXPECT_EQ(whole.standings.variants[v].gain, more.standings.variants[v].gain);
  const TunedOffers again = one.run();
  EXPECT_EQ(again.num_played, 0u);
  EXPECT_EQ(again.measured, more.measured);
}

TEST(TuneOffers, SharesItsTrainingsWithATry) {
  Variants variants({.2, .8});
  variants.settings.most_seeds = 4;
  variants.run();
  const std::vector<std::size_t> alone{0, 1, 3};  // the pool and one of the variants
  variants.space->features = variants.space->features.subset(alone);
  variants.settings.seconds = 60;
  const auto tried = run_offer_test(*variants.space, {"v1", {2}}, variants.settings, variants.world.work);
  ASSERT_TRUE(tried.ok()) << tried.error().message;
  EXPECT_EQ(tried->num_found, 4u);
  EXPECT_EQ(tried->num_played, 0u);
}

TEST(TuneOffers, SaysWhatTheTimeDidNotSufficeFor) {
  Variants variants({.2, .8, .6});
  variants.settings.seconds = 0;
  const TunedOffers tuned = variants.run();
  EXPECT_EQ(tuned.standings.variants[0].num_seeds, 4u) << "the first look is taken in any case";
  EXPECT_EQ(tuned.measured.look.num_seeds, 4u);
  EXPECT_EQ(tuned.undone,
            "The time was out after 4 seeds of the comparison, of 16. The time was out after 4 seeds of the "
            "measurement, of 16. The same command, given again, goes on.");
}

TEST(TuneOffers, RefusesTooFewSeedsAndPictures) {
  Variants variants({.2, .8});
  variants.settings.most_seeds = 3;
  const auto few_seeds =
      tune_offers(*variants.space, {0, 1}, variants.groups, variants.settings, variants.world.work);
  ASSERT_FALSE(few_seeds.ok());
  EXPECT_THAT(few_seeds.error().message, ::testing::HasSubstr("expected at least 4"));
}

TEST(TuneOffers, StopsWhereItIsAsked) {
  Variants variants({.2, .8});
  variants.world.stop.raise();
  const auto stopped =
      tune_offers(*variants.space, {0, 1}, variants.groups, variants.settings, variants.world.work);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
}

// The losses on a part of the pictures are those of scores with the scale that is best on this part.
TEST(VariantOffers, ScaleTheirScoresOnThePicturesThatAreAskedFor) {
  Variants variants({.2, .8});
  const JudgingExamples judges = *enough_judges(*variants.space->dataset, Judges::kHeldOut);
  VariantOffers offers(*variants.space, {0, 1}, variants.groups, variants.settings.rounds, judges);
  const std::vector<std::uint64_t> seeds{1};
  const std::vector<std::size_t> both{0, 1};
  ASSERT_TRUE(*offers.play(seeds, both, 1e6, variants.world.work));
  EXPECT_EQ(offers.num_asked(), 2u);
  EXPECT_EQ(offers.num_played(), 2u);
  std::vector<std::size_t> all(judges.labels.size()), some;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i;
    if (i % 2 == 0) some.push_back(i);
  }
  const VariantLosses whole = *offers.losses(1, both, all, variants.world.work),
                      half = *offers.losses(1, both, some, variants.world.work);
  ASSERT_EQ(half.before.size(), some.size());
  double sum = 0, sum_at_the_whole_scale = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    sum += half.after[1][i];
    sum_at_the_whole_scale += whole.after[1][some[i]];
  }
  EXPECT_NE(sum, sum_at_the_whole_scale) << "it has a scale of its own";
  EXPECT_NEAR(sum, sum_at_the_whole_scale, .05 * sum);
  EXPECT_EQ(whole.placebo_gain, half.placebo_gain);
}

}  // namespace
}  // namespace mash
