// SPDX-License-Identifier: Apache-2.0
#include "classifiers/offers/rounds.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "classifiers/serving/cut_answers.hpp"
#include "tests/support/world.hpp"

namespace mash {
namespace {

using testing::FakeFamily;
using testing::World;

constexpr std::size_t kExamples = 1200, kClasses = 3;

// A number of example and feature that says nothing.
std::uint32_t noise(std::uint32_t n, std::uint32_t j, std::uint32_t salt) {
  return (n * 2654435761u ^ (j + 1) * 2246822519u ^ salt * 3266489917u) * 668265263u >> 8;
}

// Features that say as much of the class as `strength` is large.
FakeFamily family(const std::string& name, std::uint32_t dim, std::uint32_t salt, std::uint32_t strength) {
  return {name, dim, [=](std::uint32_t n, std::uint32_t j) {
            return float(noise(n, j, salt) % 100 + (j % kClasses == n % kClasses ? strength : 0));
          }};
}

FakeFamily constant_family() {
  return {"constant", 40, [](std::uint32_t, std::uint32_t) { return 1.f; }};
}

std::vector<std::uint16_t> labels() {
  std::vector<std::uint16_t> labels(kExamples);
  for (std::size_t n = 0; n < kExamples; ++n) labels[n] = std::uint16_t(n % kClasses);
  return labels;
}

// A pool of two families, and a newcomer.
struct Ground {
  explicit Ground(FakeFamily newcomer_family, std::vector<std::uint16_t> own_labels = labels())
      : world(testing::numbered_images(std::move(own_labels), {}, kClasses),
              {family("a", 60, 1, 20), family("b", 30, 2, 10), std::move(newcomer_family)}),
        pool(world.features().subset(std::vector<std::size_t>{0, 1})),
        newcomer(world.features().subset(std::vector<std::size_t>{2})) {
    for (std::uint32_t n = 0; n < kExamples; n += 5) held_out.push_back(n);
  }

  OfferGround ground() const {
    OfferSettings settings;
    settings.base_rounds = 30;
    settings.rounds = 15;
    return {world.dataset, pool, newcomer, world.features(), held_out, settings};
  }
  StrongClassifier base(std::uint64_t seed = 1) {
    auto trained = train_base(ground(), seed, world.work);
    if (!trained.ok()) throw std::runtime_error(trained.error().message);
    return *std::move(trained);
  }

  World world;
  FeatureSet pool, newcomer;
  std::vector<std::uint32_t> held_out;
};

OfferedRounds played(const OfferRounds& rounds, Offered offered) { return rounds.play({&offered, 1})[0]; }
OfferedRounds control(const OfferRounds& rounds) { return played(rounds, Offered::kNothing); }
OfferedRounds treated(const OfferRounds& rounds) { return played(rounds, Offered::kNewcomer); }
OfferedRounds placebo(const OfferRounds& rounds) { return played(rounds, Offered::kMoreOfPool); }

// Draws, and the choice among features of equal merit, which are many here, know no name.
TEST(OfferRounds, AnotherNameOfTheNewcomerChangesNothing) {
  Ground one(family("strokes", 50, 3, 20)), renamed(family("a-better-name", 50, 3, 20));
  const OfferGround of_one = one.ground(), of_renamed = renamed.ground();
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const OfferRounds with_one(of_one, seed, one.base(seed).hypotheses, one.world.workers);
    const OfferRounds with_renamed(of_renamed, seed, renamed.base(seed).hypotheses, renamed.world.workers);
    const OfferedRounds expected = treated(with_one);
    EXPECT_FALSE(expected.won.empty());
    EXPECT_EQ(treated(with_renamed), expected) << seed;
  }
}

TEST(OfferRounds, AFamilyThatSaysMoreWinsAndOneThatSaysNothingDoesNot) {
  Ground strong(family("strong", 50, 3, 60)), constant(constant_family());
  const OfferGround of_strong = strong.ground(), of_constant = constant.ground();
  const OfferRounds with_strong(of_strong, 1, strong.base().hypotheses, strong.world.workers);
  const OfferRounds with_constant(of_constant, 1, constant.base().hypotheses, constant.world.workers);
  EXPECT_GT(treated(with_strong).won.size(), 7u);
  EXPECT_TRUE(treated(with_constant).won.empty());
  EXPECT_EQ(treated(with_constant).scores, control(with_constant).scores)
      << "who loses every duel changes nothing, to the last bit";
  EXPECT_NE(treated(with_strong).scores, control(with_strong).scores);
}

// The pool's part is the same for any newcomer, so that it can be kept for all.
TEST(OfferRounds, TheControlKnowsNothingOfTheNewcomer) {
  Ground strong(family("strong", 50, 3, 60)), constant(constant_family());
  const OfferGround of_strong = strong.ground(), of_constant = constant.ground();
  const StrongClassifier base = strong.base();
  EXPECT_EQ(base.hypotheses, constant.base().hypotheses);
  const OfferRounds one(of_strong, 1, base.hypotheses, strong.world.workers),
      other(of_constant, 1, base.hypotheses, constant.world.workers);
  EXPECT_EQ(control(one).scores, control(other).scores);
  EXPECT_EQ(placebo(one).scores, placebo(other).scores);
}

TEST(OfferRounds, TheSameBitsForAnyNumberOfThreads) {
  Ground made(family("newcomer", 50, 3, 30));
  const OfferGround ground = made.ground();
  const StrongClassifier base = made.base();
  const OfferRounds expected(ground, 1, base.hypotheses, made.world.workers);
  for (const int num_threads : {2, 3, 8}) {
    const Workers workers(num_threads);
    const auto again = train_base(ground, 1, {workers, no_progress(), no_remarks(), made.world.stop});
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->hypotheses, base.hypotheses);
    const OfferRounds rounds(ground, 1, base.hypotheses, workers);
    EXPECT_TRUE(std::ranges::equal(rounds.base_scores(), expected.base_scores()));
    EXPECT_EQ(control(rounds).scores, control(expected).scores);
    EXPECT_EQ(treated(rounds).scores, treated(expected).scores);
    EXPECT_EQ(treated(rounds).won, treated(expected).won);
    EXPECT_EQ(placebo(rounds).scores, placebo(expected).scores);
  }
}

// Courses are shared until a rival wins: that must change no bit, however many of them win, and when.
TEST(OfferRounds, TogetherTheyAreWhatEachIsByItself) {
  for (const std::uint32_t strength : {0u, 12u, 30u, 60u}) {
    Ground made(family("newcomer", 50, 3, strength));
    OfferGround ground = made.ground();
    ground.settings.num_candidates = 16;
    ground.settings.num_offered = 8;
    const OfferRounds rounds(ground, 1, made.base().hypotheses, made.world.workers);
    const std::vector<Offered> all{Offered::kNothing, Offered::kMoreOfPool, Offered::kNewcomer};
    const std::vector<OfferedRounds> together = rounds.play(all);
    ASSERT_EQ(together.size(), 3u);
    EXPECT_FALSE(together[1].won.empty());
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(together[i], played(rounds, all[i])) << i << " of strength " << strength;
    const std::vector<OfferedRounds> rivals = rounds.play(std::span(all).subspan(1));
    EXPECT_EQ(rivals, std::vector(together.begin() + 1, together.end())) << "where nobody has to stay";
  }
}

TEST(OfferRounds, EachOfSeveralHeuristicsHasTheCandidatesThatItHasAlone) {
  OfferSettings settings;
  settings.num_offered = 8;
  EXPECT_EQ(num_offered(settings, 53), 8u);
  EXPECT_EQ(num_offered(settings, 3), 3u);
  settings.members = {50, 3};
  EXPECT_EQ(num_offered(settings, 53), 11u);
  // The first 50 features are what the newcomer has alone; the others say nothing.
  Ground alone(family("newcomer", 50, 3, 30));
  Ground both({"newcomer", 450, [](std::uint32_t n, std::uint32_t j) {
                 return float(j < 50 ? noise(n, j, 3) % 100 + (j % kClasses == n % kClasses ? 30 : 0) : 1);
               }});
  OfferGround of_alone = alone.ground(), of_both = both.ground();
  of_alone.settings.num_offered = of_both.settings.num_offered = 8;
  const auto base = alone.base().hypotheses;
  const auto num_won = [&](Ground& made, const OfferGround& ground) {
    return played(OfferRounds(ground, 1, base, made.world.workers), Offered::kNewcomer).won.size();
  };
  const std::size_t of_one = num_won(alone, of_alone), drawn_from_all = num_won(both, of_both);
  of_both.settings.members = {50, 400};
  EXPECT_GE(num_won(both, of_both), of_one - of_one / 10);
  EXPECT_LT(3 * drawn_from_all, 2 * of_one) << "where each feature has the same chance";
}

TEST(OfferRounds, SeedsDiffer) {
  Ground made(family("newcomer", 50, 3, 30));
  const OfferGround ground = made.ground();
  const StrongClassifier first = made.base(1), second = made.base(2);
  EXPECT_NE(first.hypotheses, second.hypotheses);
  EXPECT_NE(control(OfferRounds(ground, 1, first.hypotheses, made.world.workers)).scores,
            control(OfferRounds(ground, 2, first.hypotheses, made.world.workers)).scores);
}

// Examples that score do not train: other labels of the held-out examples change no score.
TEST(OfferRounds, HeldOutLabelsAreNotLookedAt) {
  Ground honest(family("newcomer", 50, 3, 30));
  std::vector<std::uint16_t> turned = labels();
  for (const std::uint32_t n : honest.held_out) turned[n] = std::uint16_t((turned[n] + 1) % kClasses);
  Ground other(family("newcomer", 50, 3, 30), turned);
  const OfferGround of_honest = honest.ground(), of_other = other.ground();
  const StrongClassifier base = honest.base();
  EXPECT_EQ(other.base().hypotheses, base.hypotheses);
  EXPECT_EQ(treated(OfferRounds(of_honest, 1, base.hypotheses, honest.world.workers)).scores,
            treated(OfferRounds(of_other, 1, base.hypotheses, other.world.workers)).scores);
}

// Where nothing is held out, all examples train and the test side scores. Its examples are here the first
// training examples again, twice over, so that their scores are known.
TEST(OfferRounds, TheTestSideScoresWhereNothingIsHeldOut) {
  constexpr std::size_t kCopied = 40;
  const auto again = [](FakeFamily made) {
    return FakeFamily{made.id, made.dim, [value = made.value](std::uint32_t n, std::uint32_t j) {
                        return value(n < kExamples ? n : std::uint32_t((n - kExamples) % kCopied), j);
                      }};
  };
  World world(testing::numbered_images(labels(), std::vector<std::uint16_t>(2 * kCopied, 1), kClasses),
              {again(family("a", 60, 1, 20)), again(family("b", 30, 2, 30))});
  const FeatureSet pool = world.features().subset(std::vector<std::size_t>{0});
  const FeatureSet newcomer = world.features().subset(std::vector<std::size_t>{1});
  OfferGround ground{world.dataset, pool, newcomer, world.features(), {}, {}};
  ground.settings.base_rounds = 30;
  ground.settings.rounds = 15;
  const auto base = train_base(ground, 1, world.work);
  ASSERT_TRUE(base.ok());
  const OfferRounds rounds(ground, 1, base->hypotheses, world.workers);
  std::vector<double> known(kCopied * kClasses);
  for (const Hypothesis& hypothesis : base->hypotheses) {
    const auto cells = cells_of(hypothesis, pool, Side::kTrain);
    const auto votes = cell_votes(hypothesis);
    for (std::size_t i = 0; i < known.size(); ++i)
      known[i] += hypothesis.alpha * votes[cells[i / kClasses] * kClasses + i % kClasses];
  }
  const std::span<const double> before = rounds.base_scores();
  const std::vector<double> after = treated(rounds).scores;
  ASSERT_EQ(before.size(), 2 * known.size());
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_NEAR(before[i], known[i], 1e-9);
    EXPECT_EQ(before[i], before[known.size() + i]);
    EXPECT_EQ(after[i], after[known.size() + i]) << "the same picture, the same score";
  }
  EXPECT_FALSE(std::ranges::equal(before, after));
}

// A beginning that is filled up goes on as well as one that was trained so far: the judges' loss falls, the
// hypotheses are of the pool, and the same numbers come from the same beginning.
TEST(OfferRounds, FillsUpABeginningFromThePoolAlone) {
  Ground made(family("newcomer", 50, 3, 60));
  const OfferGround ground = made.ground();
  const StrongClassifier base = made.base();
  const std::span<const Hypothesis> kept = std::span(base.hypotheses).first(10);
  OfferRounds rounds(ground, 1, kept, made.world.workers);
  const std::vector<Hypothesis> more = rounds.fill_up(20);
  ASSERT_EQ(more.size(), 20u);
  EXPECT_EQ(more, OfferRounds(ground, 1, kept, made.world.workers).fill_up(20));
  std::vector<Hypothesis> filled(kept.begin(), kept.end());
  filled.insert(filled.end(), more.begin(), more.end());
  const OfferRounds from_filled(ground, 1, filled, made.world.workers);
  EXPECT_TRUE(std::ranges::equal(rounds.base_scores(), from_filled.base_scores()));
  EXPECT_EQ(treated(rounds), treated(from_filled)) << "as from a beginning that is known whole";
  for (const Hypothesis& hypothesis : more) EXPECT_GT(hypothesis.alpha, 0);
  const auto num_wrong = [&](std::span<const Hypothesis> hypotheses) {
    const OfferRounds of_these(ground, 1, hypotheses, made.world.workers);
    const std::span<const double> scores = of_these.base_scores();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < made.held_out.size(); ++i) {
      const auto row = scores.subspan(i * kClasses, kClasses);
      wrong += std::size_t(std::ranges::max_element(row) - row.begin()) != labels()[made.held_out[i]];
    }
    return wrong;
  };
  EXPECT_LT(num_wrong(filled), num_wrong(kept));
}

// Coefficients are the edge's, times the shrinkage, and weights add up to 1: one round by hand.
TEST(OfferRounds, ARoundAddsAShareOfItsCoefficient) {
  Ground made(constant_family());
  OfferGround ground = made.ground();
  ground.settings.base_rounds = 1;
  ground.settings.rounds = 1;
  const auto base = train_base(ground, 1, made.world.work);
  ASSERT_TRUE(base.ok());
  const OfferRounds rounds(ground, 1, base->hypotheses, made.world.workers);
  const std::span<const double> before = rounds.base_scores();
  const std::vector<double> after = control(rounds).scores;
  const double alpha = std::abs(after[0] - before[0]);
  ASSERT_GT(alpha, 0);
  ground.settings.shrinkage = 1;
  const std::vector<double> whole =
      control(OfferRounds(ground, 1, base->hypotheses, made.world.workers)).scores;
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_NEAR(std::abs(after[i] - before[i]), alpha, 1e-12) << "votes are +1 and -1";
    EXPECT_NEAR(after[i] - before[i], .3 * (whole[i] - before[i]), 1e-12);
  }
}

TEST(TrainBase, StopsWhenItIsAskedTo) {
  Ground made(constant_family());
  made.world.stop.raise();
  const auto base = train_base(made.ground(), 1, made.world.work);
  ASSERT_FALSE(base.ok());
  EXPECT_EQ(base.error().kind, ErrorKind::kStopped);
}

}  // namespace
}  // namespace mash
