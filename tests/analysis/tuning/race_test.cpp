// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/tuning/race.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "framework/base/random.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;

constexpr std::size_t kPictures = 40;

// Losses around 1 without the variants, and by `gain` per cent less with one; noise of `sd` per cent a seed.
class MadeLosses {
 public:
  explicit MadeLosses(std::uint64_t seed) : random_(seed, "made losses") {}

  std::vector<double> before() {
    before_.clear();
    for (std::size_t n = 0; n < kPictures; ++n) before_.push_back(1 + .2 * random_.normal() * .5);
    return before_;
  }
  std::vector<double> after(double gain, double sd) {
    const double factor = std::exp(-(gain + sd * random_.normal()) / 100);
    std::vector<double> losses = before_;
    for (double& loss : losses) loss *= factor * std::exp(.01 * random_.normal());
    return losses;
  }

 private:
  RandomStream random_;
  std::vector<double> before_;
};

// Runs all of a race of variants with these gains.
VariantRace run(const std::vector<double>& gains, double sd, std::uint64_t seed = 1) {
  VariantRace race(gains.size(), kPictures);
  MadeLosses losses(seed);
  while (race.next_look() != 0) {
    const std::size_t look = race.next_look();
    while (race.num_seeds() < look) {
      std::vector<double> before = losses.before();
      std::vector<std::vector<double>> after;
      for (const std::size_t variant : race.running()) after.push_back(losses.after(gains[variant], sd));
      race.add(std::move(before), std::move(after));
    }
    race.halve();
  }
  return race;
}

TEST(VariantRace, LeavesTheWorseHalfOut) {
  VariantRace race(5, 2);
  EXPECT_THAT(race.running(), ElementsAre(0, 1, 2, 3, 4));
  const auto add = [&](std::size_t count) {
    for (std::size_t s = 0; s < count; ++s) {
      std::vector<std::vector<double>> after;
      for (const std::size_t variant : race.running()) after.push_back({.9 - .1 * double(variant), .5});
      race.add({1, 1}, std::move(after));
    }
  };
  EXPECT_EQ(race.next_look(), 4u);
  add(4);
  race.halve();
  EXPECT_THAT(race.running(), ElementsAre(0, 1, 2, 3, 4)) << "four seeds leave nobody out";
  EXPECT_EQ(race.next_look(), 8u);
  add(4);
  race.halve();
  EXPECT_THAT(race.running(), ElementsAre(2, 3, 4));
  add(8);
  race.halve();
  EXPECT_THAT(race.running(), ElementsAre(3, 4));
  add(16);
  race.halve();
  EXPECT_THAT(race.running(), ElementsAre(3, 4)) << "two go on to the end";
  EXPECT_EQ(race.next_look(), 0u);
}

TEST(VariantRace, FindsTheBestAndThoseThatMayBeAsGood) {
  const RaceStandings standings = run({0, 10, .2, 10.1, 5, 9.9}, .5).standings(0);
  EXPECT_THAT(standings.best, ::testing::AnyOf(1u, 3u, 5u));
  EXPECT_FALSE(standings.variants[1].is_surely_worse);
  EXPECT_FALSE(standings.variants[3].is_surely_worse);
  EXPECT_FALSE(standings.variants[5].is_surely_worse);
  EXPECT_TRUE(standings.variants[0].is_surely_worse);
  EXPECT_TRUE(standings.variants[2].is_surely_worse);
  EXPECT_TRUE(standings.variants[4].is_surely_worse);
  EXPECT_EQ(standings.num_as_good(), 2u);
  const VariantStanding& best = standings.variants[standings.best];
  EXPECT_EQ(best.num_seeds, 32u);
  EXPECT_NEAR(best.gain.gain, 10, 1);
  EXPECT_NEAR(best.than_first.gain, 10, 1);
  EXPECT_EQ(best.behind_best.gain, 0);
  EXPECT_EQ(standings.variants[0].num_seeds, 8u);
  EXPECT_NEAR(standings.variants[0].behind_best.gain, 10, 1);
}

TEST(VariantRace, DoesNotTellEqualOnesApart) {
  std::size_t num_told_apart = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const RaceStandings standings = run(std::vector<double>(8, 3.), 1, seed).standings(0);
    // Any of them is the best: none of them is surely worse in 95 of 100 races.
    num_told_apart += standings.num_as_good() < 7;
  }
  EXPECT_LE(num_told_apart, 10u);
}

}  // namespace
}  // namespace mash
