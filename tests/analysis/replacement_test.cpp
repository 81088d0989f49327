// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/replacement.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

#include "framework/base/random.hpp"

namespace mash {
namespace {

using Table = std::vector<std::vector<double>>;  // seeds x examples

// Two newcomers beside a pool whose loss is 1 on every example, which they lower by so much.
class GainPair {
 public:
  GainPair(const Table& one, const Table& other)
      : one_(one[0].size()), other_(one[0].size()), between_(one[0].size()) {
    for (std::size_t s = 0; s < one.size(); ++s) {
      const std::vector<double> before(one[s].size(), 1.0);
      std::vector<double> after_one, after_other;
      for (std::size_t n = 0; n < before.size(); ++n) {
        after_one.push_back(1 - one[s][n]);
        after_other.push_back(1 - other[s][n]);
      }
      one_.add(before, after_one);
      other_.add(before, after_other);
      between_.add(after_other, after_one);
    }
  }

  MeanSquares products() const { return mean_products(one_, other_, between_); }
  ReplacementAtLook at(const Look& look) const {
    return {gain_at(look, one_, 0), gain_at(look, other_, 0), products()};
  }
  const PairedLosses& one() const { return one_; }
  const PairedLosses& other() const { return other_; }

 private:
  PairedLosses one_, other_, between_;
};

// A part of each example, of each seed, and of both, which two tables share in part.
std::pair<Table, Table> tables_alike(RandomStream& stream, std::size_t num_seeds, std::size_t num_examples) {
  Table one(num_seeds, std::vector<double>(num_examples)), other = one;
  const auto add = [&](std::size_t s, std::size_t n, double shared, double of_one, double of_other) {
    one[s][n] += shared + of_one;
    other[s][n] += shared + of_other;
  };
  const auto draw = [&] { return .05 * stream.normal(); };
  for (std::size_t n = 0; n < num_examples; ++n) {
    const double shared = draw(), of_one = draw(), of_other = draw();
    for (std::size_t s = 0; s < num_seeds; ++s) add(s, n, shared, of_one, of_other);
  }
  for (std::size_t s = 0; s < num_seeds; ++s) {
    const double shared = draw(), of_one = draw(), of_other = draw();
    for (std::size_t n = 0; n < num_examples; ++n) add(s, n, shared, of_one, of_other);
  }
  for (std::size_t s = 0; s < num_seeds; ++s)
    for (std::size_t n = 0; n < num_examples; ++n) add(s, n, draw() / 4, draw() / 4, draw() / 4);
  return {one, other};
}

TEST(MeanProducts, OfACopyAreItsMeanSquares) {
  const Table table{{.3, .1, .2, 0}, {.1, 0, .2, .1}, {.2, .2, .05, -.05}};
  const GainPair copies(table, table);
  const MeanSquares found = copies.products(), expected = copies.one().error().squares;
  EXPECT_NEAR(found.seeds, expected.seeds, 1e-9);
  EXPECT_NEAR(found.examples, expected.examples, 1e-9);
  EXPECT_NEAR(found.rest, expected.rest, 1e-9);
}

// The table of 100 (before / mean before - after / mean after), where the losses before are 1.
Table errors_of(const Table& differences) {
  double mean = 0;
  for (const auto& of_seed : differences)
    for (const double difference : of_seed)
      mean += (1 - difference) / double(differences.size() * of_seed.size());
  Table table = differences;
  for (auto& of_seed : table)
    for (double& value : of_seed) value = 100 * (1 - (1 - value) / mean);
  return table;
}

// The sums of products of the two-way table, as they are defined.
TEST(MeanProducts, AreThoseOfTheDefinition) {
  constexpr std::size_t kSeeds = 5, kExamples = 7;
  RandomStream stream(3, "test.pairs");
  const auto [one, other] = tables_alike(stream, kSeeds, kExamples);
  const Table gains[2] = {errors_of(one), errors_of(other)};
  std::vector<double> of_seed[2], of_example[2];
  double mean[2] = {};
  for (int t = 0; t < 2; ++t) {
    of_seed[t].resize(kSeeds);
    of_example[t].resize(kExamples);
    for (std::size_t s = 0; s < kSeeds; ++s) {
      for (std::size_t n = 0; n < kExamples; ++n) {
        of_seed[t][s] += gains[t][s][n] / kExamples;
        of_example[t][n] += gains[t][s][n] / kSeeds;
        mean[t] += gains[t][s][n] / (kSeeds * kExamples);
      }
    }
  }
  MeanSquares expected;
  for (std::size_t s = 0; s < kSeeds; ++s)
    expected.seeds += kExamples * (of_seed[0][s] - mean[0]) * (of_seed[1][s] - mean[1]) / (kSeeds - 1);
  for (std::size_t n = 0; n < kExamples; ++n) {
    expected.examples +=
        kSeeds * (of_example[0][n] - mean[0]) * (of_example[1][n] - mean[1]) / (kExamples - 1);
    for (std::size_t s = 0; s < kSeeds; ++s) {
      double product = 1;
      for (int t = 0; t < 2; ++t) product *= gains[t][s][n] - of_seed[t][s] - of_example[t][n] + mean[t];
      expected.rest += product / ((kSeeds - 1) * (kExamples - 1));
    }
  }
  const MeanSquares found = GainPair(one, other).products();
  EXPECT_NEAR(found.seeds, expected.seeds, 1e-9);
  EXPECT_NEAR(found.examples, expected.examples, 1e-9);
  EXPECT_NEAR(found.rest, expected.rest, 1e-9);
}

// Means whose intervals reach so far to both sides, and which share so much of the error (-1 ... 1).
ReplacementAtLook replacement_look(double own, double own_reach, double replaced, double replaced_reach,
                                   double correlation = 0) {
  const Look& look = kLooks[1];
  const auto sd = [&](double reach) { return reach / error_over_seeds(1, look.num_seeds).reach(look.alpha); };
  const auto gain = [&](double mean, double reach) {
    return GainAtLook{look, mean, error_over_seeds(sd(reach), look.num_seeds), {mean - reach, mean + reach}};
  };
  return {gain(own, own_reach),
          gain(replaced, replaced_reach),
          {.seeds = correlation * sd(own_reach) * sd(replaced_reach)}};
}

TEST(RatioInterval, WorkedByHand) {
  // 32 r^2 - 108 r + 72 <= 0.
  const Interval apart = *replacement_look(9, 3, 6, 2).ratio_interval();
  EXPECT_NEAR(apart.low, (54 - std::sqrt(612)) / 32, 1e-9);
  EXPECT_NEAR(apart.high, (54 + std::sqrt(612)) / 32, 1e-9);
  // Gains that rise and fall together, half as high again: 32 r^2 - 96 r + 72 = 32 (r - 1.5)^2.
  const Interval together = *replacement_look(9, 3, 6, 2, 1).ratio_interval();
  EXPECT_NEAR(together.low, 1.5, 1e-6);
  EXPECT_NEAR(together.high, 1.5, 1e-6);
  EXPECT_NEAR(replacement_look(9, 3, 6, 2).ratio(), 1.5, 1e-12);
  EXPECT_FALSE(replacement_look(9, 3, 6, 6.1).ratio_interval())
      << "of what may gain nothing any ratio is possible";
  EXPECT_FALSE(replacement_look(-9, 3, -6, 2).ratio_interval());
}

// Ratio by ratio: whether the interval of own - r * replaced holds 0.
TEST(RatioInterval, HasTheRatiosThatTheDifferenceAdmits) {
  RandomStream stream(7, "test.ratios");
  int num_inside = 0;
  for (int i = 0; i < 200; ++i) {
    const double replaced = 1 + 9 * stream.uniform(), replaced_reach = replaced * stream.uniform();
    const auto look = replacement_look(10 * stream.normal(), 5 * stream.uniform(), replaced, replaced_reach,
                                       2 * stream.uniform() - 1);
    const Interval found = *look.ratio_interval();
    const double width = found.high - found.low;
    for (int step = -20; step <= 40; ++step) {
      const double ratio = found.low + width * (step + .5) / 20;
      const double reach = look.error_of_difference(ratio).reach(look.own.look.alpha);
      const bool is_inside = std::abs(look.own.gain - ratio * look.replaced.gain) <= reach;
      EXPECT_EQ(is_inside, step >= 0 && step < 20) << i << ", ratio " << ratio;
      num_inside += is_inside;
    }
  }
  EXPECT_EQ(num_inside, 200 * 20);
}

TEST(FindingOf, EveryRuleAtItsBorder) {
  EXPECT_EQ(finding_of(replacement_look(6, .1, 6, .1), 1), ReplacementFinding::kCould);
  EXPECT_EQ(finding_of(replacement_look(3, .1, 6, .1), 1), ReplacementFinding::kCannotYet);
  EXPECT_EQ(finding_of(replacement_look(-3, .1, 6, .1), 1), ReplacementFinding::kCannotYet);
  EXPECT_EQ(finding_of(replacement_look(6, 2, 6, .1), 1), ReplacementFinding::kUndecided);
  EXPECT_EQ(finding_of(replacement_look(4.8, .1, 6, .1), 1), ReplacementFinding::kUndecided);
  EXPECT_EQ(finding_of(replacement_look(4.91, .1, 6, 0), 1), ReplacementFinding::kCould);
  EXPECT_EQ(finding_of(replacement_look(4.69, .1, 6, 0), 1), ReplacementFinding::kCannotYet);
  EXPECT_EQ(finding_of(replacement_look(6, .1, 2, 2.1), 1), ReplacementFinding::kUndecided)
      << "may gain nothing";
  EXPECT_EQ(finding_of(replacement_look(6, .1, .9, .2), 1), ReplacementFinding::kUndecided)
      << "is not relevant";
  EXPECT_EQ(finding_of(replacement_look(6, .1, .5, .4), 1), ReplacementFinding::kNothingToReplace);
  EXPECT_EQ(finding_of(replacement_look(6, .1, -3, .4), 1), ReplacementFinding::kNothingToReplace);
}

// The words for it are those of the difference at .8.
TEST(FindingOf, IsThatOfTheDifference) {
  RandomStream stream(9, "test.findings");
  for (int i = 0; i < 500; ++i) {
    const auto look = replacement_look(6 * stream.uniform(), 2 * stream.uniform(), 1 + 5 * stream.uniform(),
                                       1, 2 * stream.uniform() - 1);
    const double difference = look.own.gain - kReplacingShare * look.replaced.gain;
    const double reach = look.error_of_difference(kReplacingShare).reach(look.own.look.alpha);
    const bool is_known = look.replaced.interval.low > 0;
    EXPECT_EQ(finding_of(look, 1) == ReplacementFinding::kCould, is_known && difference >= reach);
    EXPECT_EQ(finding_of(look, 1) == ReplacementFinding::kCannotYet, is_known && difference < -reach);
  }
}

// Gains of 5 and 4 that share a part of their error: the interval holds 1.25 as often as it says.
TEST(RatioInterval, HoldsTheTruth) {
  constexpr int kTests = 2000;
  const Look& look = kLooks[2];
  int num_wrong = 0;
  for (int test = 0; test < kTests; ++test) {
    RandomStream stream(std::uint64_t(test), "test.coverage");
    Table one, other;
    for (std::size_t s = 0; s < look.num_seeds; ++s) {
      const double shared = stream.normal();
      const auto removed = [&](double gain) { return 1 - std::exp(-gain / 100); };
      one.emplace_back(2, removed(5 + shared + stream.normal()));
      other.emplace_back(2, removed(4 + shared + stream.normal()));
    }
    const auto interval = GainPair(one, other).at(look).ratio_interval();
    num_wrong += interval && (interval->low > 1.25 || interval->high < 1.25);
  }
  EXPECT_LT(num_wrong, .01 * kTests + 4 * std::sqrt(kTests * .01 * .99));
  EXPECT_GT(num_wrong, .005 * kTests);
}

TEST(SeedsToFind, IsWhereBothAreKnown) {
  const auto look = [](double own, double replaced, double sd, double of_examples) {
    const MeanError error{{100 * sd * sd, of_examples * 800, 0}, kLooks[1].num_seeds, 100};
    return ReplacementAtLook{{kLooks[1], own, error, {}}, {kLooks[1], replaced, error, {}}, {}};
  };
  // The difference from .8 of a gain of 5 is 1, with 1 + .64 times the variance: 2.561 t / sqrt(S) is 1.004
  // for 47 seeds and .992 for 48.
  EXPECT_EQ(seeds_to_find(look(5, 5, 2, 0), 1), 48u);
  EXPECT_EQ(seeds_to_find(look(3, 5, 2, 0), 1), 48u);
  EXPECT_EQ(seeds_to_find(look(50, 2, 2, 0), 1), 11u) << "until the other's gain is known";
  EXPECT_EQ(seeds_to_find(look(5, 0, 2, 0), 1), 31u) << "until it is known that it gains nothing";
  EXPECT_EQ(seeds_to_find(look(4, 5, 2, 0), 1), 0u) << "just enough is never known";
  EXPECT_EQ(seeds_to_find(look(5, 5, 2, 1), 1), 0u) << "the examples alone make it wider";
}

}  // namespace
}  // namespace mash
