// SPDX-License-Identifier: Apache-2.0
#include "framework/base/loss_sums.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "framework/base/mean_error.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

using Losses = std::vector<std::vector<double>>;  // seeds x examples

LossSums sums_of(const Losses& losses) {
  LossSums sums{{}, std::vector<double>(losses[0].size())};
  for (const auto& of_seed : losses) {
    sums.of_seeds.push_back(0);
    for (std::size_t n = 0; n < of_seed.size(); ++n) {
      sums.of_seeds.back() += of_seed[n];
      sums.of_examples[n] += of_seed[n];
    }
  }
  return sums;
}

Losses drawn(RandomStream& stream, std::size_t num_seeds, std::size_t num_examples, double level) {
  Losses losses(num_seeds, std::vector<double>(num_examples));
  for (auto& of_seed : losses)
    for (double& loss : of_seed) loss = level * stream.uniform(.5, 1.5);
  return losses;
}

double mean_of(const Losses& losses) {
  double sum = 0;
  for (const auto& of_seed : losses)
    for (const double loss : of_seed) sum += loss;
  return sum / double(losses.size() * losses[0].size());
}

double t_at(double degrees, double tail) {
  return boost::math::quantile(boost::math::complement(boost::math::students_t(degrees), tail));
}

// The degrees of freedom with which Student's t is this one at kTestTail.
double degrees_with(double t) {
  double low = 0, high = std::log(1e6);  // of their logarithm
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (t_at(std::exp(middle), kTestTail) > t ? low : high) = middle;
  }
  return std::exp(low);
}

// The mean squares of z = 100 (second / its mean - first / its mean), and what follows, by their definition.
PairDifference expected_difference(const Losses& first, const Losses& second) {
  const auto num_seeds = double(first.size()), num_examples = double(first[0].size());
  const auto z = [&](std::size_t s, std::size_t n) {
    return 100 * (second[s][n] / mean_of(second) - first[s][n] / mean_of(first));
  };
  double of_seeds = 0, of_examples = 0;
  for (std::size_t s = 0; s < first.size(); ++s) {
    double mean = 0;
    for (std::size_t n = 0; n < first[0].size(); ++n) mean += z(s, n) / num_examples;
    of_seeds += num_examples * mean * mean / (num_seeds - 1);
  }
  for (std::size_t n = 0; n < first[0].size(); ++n) {
    double mean = 0;
    for (std::size_t s = 0; s < first.size(); ++s) mean += z(s, n) / num_seeds;
    of_examples += num_seeds * mean * mean / (num_examples - 1);
  }
  const double sum = of_seeds + of_examples;
  const double t = std::sqrt((of_seeds * std::pow(t_at(num_seeds - 1, kTestTail), 2) +
                              of_examples * std::pow(t_at(num_examples - 1, kTestTail), 2)) /
                             sum);
  return {100 * std::log(mean_of(second) / mean_of(first)), std::sqrt(sum / (num_seeds * num_examples)),
          degrees_with(t)};
}

void expect_near(const PairDifference& found, const PairDifference& expected) {
  EXPECT_NEAR(found.mean, expected.mean, 1e-9);
  EXPECT_NEAR(found.error, expected.error, 1e-7);
  EXPECT_NEAR(found.degrees, expected.degrees, 1e-3 * expected.degrees);
}

TEST(LossTable, DifferencesAreThoseOfTheTablesOfLosses) {
  RandomStream stream(1, "test.losses");
  std::vector<Losses> entries;
  LossTable table;
  for (std::size_t i = 0; i < 5; ++i) {
    entries.push_back(drawn(stream, 6, 11, 1 + .1 * double(i)));
    table.put(i, sums_of(entries.back()));
  }
  ASSERT_EQ(table.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 5; ++j)
      if (i != j) expect_near(table.difference(i, j), expected_difference(entries[i], entries[j]));
  // One of them is measured again.
  entries[2] = drawn(stream, 6, 11, 2);
  table.put(2, sums_of(entries[2]));
  for (const std::size_t i : {0u, 1u, 3u, 4u})
    expect_near(table.difference(i, 2), expected_difference(entries[i], entries[2]));
}

TEST(LossTable, EqualEntriesHaveNoDifferenceAndNoError) {
  RandomStream stream(2, "test.losses");
  const LossSums sums = sums_of(drawn(stream, 4, 9, 1));
  LossTable table;
  table.put(0, sums);
  table.put(1, sums);
  EXPECT_EQ(table.difference(0, 1).mean, 0);
  EXPECT_NEAR(table.difference(0, 1).error, 0, 1e-6);
  EXPECT_TRUE(table.difference(0, 1).are_equal);
  table.put(1, sums_of(drawn(stream, 4, 9, 1)));
  EXPECT_FALSE(table.difference(0, 1).are_equal);
}

TEST(LossTable, SizesThatDoNotFitAreRefused) {
  RandomStream stream(3, "test.losses");
  LossTable table;
  table.put(0, sums_of(drawn(stream, 4, 9, 1)));
  EXPECT_THROW(table.put(1, sums_of(drawn(stream, 5, 9, 1))), std::logic_error);
  EXPECT_THROW(table.put(2, sums_of(drawn(stream, 4, 9, 1))), std::logic_error) << "not the next one";
}

// z of both, by their definition, with what is left of seeds and examples.
PairDifference expected_exactly(const Losses& first, const Losses& second) {
  const auto num_seeds = double(first.size()), num_examples = double(first[0].size());
  const PairDifference by_sums = expected_difference(first, second);
  double all = 0, of_seeds = 0;
  std::vector<double> of_examples(first[0].size());
  for (std::size_t s = 0; s < first.size(); ++s) {
    double sum = 0;
    for (std::size_t n = 0; n < first[0].size(); ++n) {
      const double z = 100 * (second[s][n] / mean_of(second) - first[s][n] / mean_of(first));
      all += z * z;
      sum += z;
      of_examples[n] += z;
    }
    of_seeds += sum * sum / num_examples;
  }
  double examples = 0;
  for (const double sum : of_examples) examples += sum * sum / num_seeds;
  const double rest = (all - of_seeds - examples) / ((num_seeds - 1) * (num_examples - 1));
  const double a = std::max(rest, of_seeds / (num_seeds - 1)),
               b = std::max(rest, examples / (num_examples - 1));
  // The square of half an interval is the same sum of mean squares times t^2.
  const auto times_t = [](double square, double degrees) {
    return square * std::pow(t_at(degrees, kTestTail), 2);
  };
  const double rest_times_t = times_t(rest, (num_seeds - 1) * (num_examples - 1)),
               of_both = std::max(rest_times_t, times_t(of_seeds / (num_seeds - 1), num_seeds - 1)) +
                         std::max(rest_times_t, times_t(examples / (num_examples - 1), num_examples - 1));
  return {by_sums.mean, std::sqrt((a + b - rest) / (num_seeds * num_examples)),
          degrees_with(std::sqrt((of_both - rest_times_t) / (a + b - rest))),
          std::sqrt((b - rest) / (num_seeds * num_examples))};
}

LossCells cells_of(const Losses& losses) {
  LossCells cells{losses.size(), {}};
  for (const auto& of_seed : losses)
    for (const double loss : of_seed) cells.values.push_back(float(loss));
  return cells;
}

TEST(ExactDifference, TakesOffWhatIsLeftOfSeedsAndExamples) {
  RandomStream stream(4, "test.losses");
  Losses one = drawn(stream, 6, 11, 1), other = drawn(stream, 6, 11, 1.2);
  for (std::size_t s = 0; s < one.size(); ++s)
    for (std::size_t n = 0; n < one[s].size(); ++n) one[s][n] += .3 * double(n % 4) + .2 * double(s % 2);
  const PairDifference found = exact_difference(cells_of(one), cells_of(other)),
                       expected = expected_exactly(one, other);
  EXPECT_NEAR(found.mean, expected.mean, 1e-4);
  EXPECT_NEAR(found.error, expected.error, 1e-4);
  EXPECT_NEAR(found.of_examples, expected.of_examples, 1e-4);
  EXPECT_LT(found.error, expected_difference(one, other).error) << "the error from sums is too large";
  EXPECT_GE(found.error, expected_difference(one, other).error / std::sqrt(2));
  EXPECT_NEAR(found.degrees, expected.degrees, 1e-3 * expected.degrees);
  const PairDifference same = exact_difference(cells_of(one), cells_of(one));
  EXPECT_TRUE(same.are_equal);
  EXPECT_EQ(same.error, 0);
  EXPECT_THROW(exact_difference(cells_of(one), cells_of(drawn(stream, 5, 11, 1))), std::logic_error);
}

// A pair of equal gains is told apart no more often than its test allows, far out in the tails: at what a
// pair of fifty spends of a sixth of 5 %, with few seeds that may differ little by chance. The mean is
// independent of the spreads, so that the error of each draw has its own probability, and few draws tell
// their mean.
TEST(LossTable, FewSeedsAreNotTrustedInTheTails) {
  constexpr std::size_t kExamples = 60;
  constexpr int kDraws = 8000;
  constexpr double kSpent = .05 / 6 / 50;
  for (const std::size_t num_seeds : {4u, 8u, 16u})
    for (const double share : {.2, .6, .9}) {  // of the variance, that of the seeds
      RandomStream stream(num_seeds, "test.tails", std::uint64_t(100 * share));
      const auto all = double(num_seeds * kExamples);
      double told = 0;
      for (int draw = 0; draw < kDraws; ++draw) {
        GainSums none{0, {std::vector<double>(num_seeds), std::vector<double>(kExamples)}}, drawn = none;
        for (double& sum : drawn.z.of_seeds) sum = std::sqrt(all * kExamples * share) * stream.normal();
        for (double& sum : drawn.z.of_examples)
          sum = std::sqrt(all * double(num_seeds) * (1 - share)) * stream.normal();
        LossTable table;
        table.put(0, none);
        table.put(1, drawn);
        const PairDifference difference = table.difference(1, 0);  // of a mean with variance 1
        told += std::erfc(t_at(difference.degrees, kSpent) * difference.error / std::sqrt(2)) / 2 / kDraws;
      }
      EXPECT_LE(told, 1.2 * kSpent) << num_seeds << " seeds, " << share;
      if (num_seeds < 16) continue;
      EXPECT_GE(told, .2 * kSpent) << share << ": wider than it has to be";
    }
}

// An entry with a control of its own gains what the ratio to it says; beside one control the differences of
// gains and of losses are the same.
TEST(LossTable, GainsBesideOneControlDifferAsTheLossesDo) {
  RandomStream stream(5, "test.losses");
  const Losses control = drawn(stream, 6, 11, 2);
  LossTable of_losses, of_gains;
  for (std::size_t i = 0; i < 3; ++i) {
    const Losses losses = drawn(stream, 6, 11, 1 + .1 * double(i));
    of_losses.put(i, sums_of(losses));
    GainSums gain{100 * std::log(mean_of(control) / mean_of(losses)), sums_of(losses)};
    const LossSums before = sums_of(control);
    for (std::size_t s = 0; s < 6; ++s)
      gain.z.of_seeds[s] =
          100 * (before.of_seeds[s] / mean_of(control) - gain.z.of_seeds[s] / mean_of(losses));
    for (std::size_t n = 0; n < 11; ++n)
      gain.z.of_examples[n] =
          100 * (before.of_examples[n] / mean_of(control) - gain.z.of_examples[n] / mean_of(losses));
    of_gains.put(i, gain);
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (i != j) expect_near(of_gains.difference(i, j), of_losses.difference(i, j));
}

TEST(LossTable, TheExamplesPartIsToldFromManySeedsOn) {
  RandomStream stream(6, "test.losses");
  for (const std::size_t num_seeds : {kSeedsThatTellExamples - 1, kSeedsThatTellExamples}) {
    LossTable table;
    for (std::size_t i = 0; i < 2; ++i) table.put(i, sums_of(drawn(stream, num_seeds, 9, 1)));
    const PairDifference difference = table.difference(0, 1);
    EXPECT_EQ(difference.of_examples > 0, num_seeds == kSeedsThatTellExamples);
    EXPECT_LE(difference.of_examples, difference.error);
  }
}

TEST(SeedLevels, EntriesAreToldApartByTheMostSeedsThatBothHave) {
  RandomStream stream(7, "test.losses");
  const Losses one = drawn(stream, 8, 9, 1), other = drawn(stream, 8, 9, 1.1), third = drawn(stream, 8, 9, 2);
  const auto first_seeds = [](const Losses& losses, std::size_t count) {
    return Losses(losses.begin(), losses.begin() + std::ptrdiff_t(count));
  };
  SeedLevels levels;
  for (const std::size_t num_seeds : {4u, 8u}) levels.put(70, sums_of(first_seeds(one, num_seeds)));
  levels.put(-3, sums_of(first_seeds(other, 4)));
  EXPECT_EQ(levels.common_seeds(70, -3), 4u);
  expect_near(levels.difference(70, -3), expected_difference(first_seeds(one, 4), first_seeds(other, 4)));
  levels.put(-3, sums_of(other));
  EXPECT_EQ(levels.common_seeds(-3, 70), 8u);
  expect_near(levels.difference(-3, 70), expected_difference(other, one));
  const std::int64_t entries[] = {70, 9, -3};
  const DifferenceOf among = levels.among(entries);
  expect_near(among(2, 0), expected_difference(other, one));
  EXPECT_EQ(among(0, 1).error, 0) << "nobody knows entry 9";
  levels.put(5, sums_of(first_seeds(third, 6)));
  EXPECT_TRUE(levels.has(5));
  EXPECT_FALSE(levels.has(5, 8));
  EXPECT_EQ(levels.common_seeds(5, 70), 0u);
  EXPECT_EQ(levels.difference(5, 70).error, 0) << "nothing is known";
  levels.put(6, sums_of(drawn(stream, 8, 10, 1)));
  EXPECT_FALSE(levels.has(6)) << "judged by other examples";
}

// Rankings as on a board: half of the entries gain nothing, the others N(2, 2); the error of a difference has
// a part of seeds and a part of pictures, as measured on the demo.
class Rankings {
 public:
  static constexpr std::size_t kExamples = 300;

  Rankings(std::size_t num_entries, std::uint64_t seed)
      : stream_(seed, "test.rankings"), gains_(num_entries), sums_(num_entries) {
    for (std::size_t i = num_entries / 2; i < num_entries; ++i) gains_[i] = 2 + 2 * stream_.normal();
    for (LossSums& sums : sums_) sums.of_examples.resize(kExamples);
    for (std::size_t i = 0; i < num_entries * kExamples; ++i)
      of_examples_.push_back(kOfPictures * stream_.normal());
  }
  std::size_t num_entries() const { return gains_.size(); }

  // Adds seeds. Per cents of the loss, which is 1: small ones are gains of the same size.
  void measure(std::size_t num_seeds) {
    while (sums_[0].of_seeds.size() < num_seeds) {
      const double shared = kOfSeeds * std::sqrt(.34) * stream_.normal();
      for (std::size_t i = 0; i < num_entries(); ++i) {
        const double of_seed = shared + kOfSeeds * std::sqrt(.66) * stream_.normal();
        sums_[i].of_seeds.push_back(0);
        for (std::size_t n = 0; n < kExamples; ++n) {
          const double loss = std::exp(-(gains_[i] + of_seed + of_examples_[i * kExamples + n]) / 100);
          sums_[i].of_seeds.back() += loss;
          sums_[i].of_examples[n] += loss;
        }
      }
    }
  }

  std::vector<RankSet> sets() const {
    LossTable table;
    for (std::size_t i = 0; i < num_entries(); ++i) table.put(i, sums_[i]);
    return rank_sets(
        num_entries(), [&](std::size_t i, std::size_t j) { return table.difference(i, j); }, .01);
  }

  // Equal gains share ranks: each rank that they share is right.
  bool holds(const RankInterval& set, std::size_t entry) const {
    const auto num_better =
        std::ranges::count_if(gains_, [&](double other) { return other > gains_[entry]; });
    const auto num_worse = std::ranges::count_if(gains_, [&](double other) { return other < gains_[entry]; });
    return set.low <= std::int64_t(num_entries()) - num_worse && set.high >= num_better + 1;
  }

  // The median width of the sets of the five that are best.
  double top_width(const std::vector<RankSet>& sets) const {
    std::vector<std::pair<double, double>> widths;
    for (std::size_t i = 0; i < num_entries(); ++i)
      widths.emplace_back(-gains_[i], double(sets[i].own.high - sets[i].own.low + 1));
    std::ranges::sort(widths);
    std::vector<double> top;
    for (std::size_t i = 0; i < 5; ++i) top.push_back(widths[i].second);
    std::ranges::sort(top);
    return top[2];
  }

 private:
  static constexpr double kOfSeeds = .9;      // standard deviation of a seed, per cent
  static constexpr double kOfPictures = 1.3;  // of a picture: an error of the mean of .075

  RandomStream stream_;
  std::vector<double> gains_, of_examples_;
  std::vector<LossSums> sums_;
};

// Shares of the sets that hold their rank, and of the rankings of which all do at once, and the mean of the
// median widths, after each of these numbers of seeds.
struct Coverage {
  double own = 0, together = 0;
  std::vector<double> widths;
};
Coverage coverage_of(std::size_t num_entries, int num_rankings, const std::vector<std::size_t>& seeds) {
  Coverage coverage{0, 0, std::vector<double>(seeds.size())};
  for (int i = 0; i < num_rankings; ++i) {
    Rankings rankings(num_entries, std::uint64_t(i) + 1);
    for (std::size_t k = 0; k < seeds.size(); ++k) {
      rankings.measure(seeds[k]);
      const auto sets = rankings.sets();
      const double of_all = double(num_rankings) * double(seeds.size());
      bool all_held = true;
      for (std::size_t entry = 0; entry < num_entries; ++entry) {
        coverage.own += double(rankings.holds(sets[entry].own, entry)) / of_all / double(num_entries);
        all_held = all_held && rankings.holds(sets[entry].together, entry);
      }
      coverage.together += double(all_held) / of_all;
      coverage.widths[k] += rankings.top_width(sets) / num_rankings;
    }
  }
  return coverage;
}

TEST(LossTable, RankSetsHoldTheRanksAndNarrowWithSeeds) {
  const Coverage coverage = coverage_of(50, 30, {16, 64, 256});
  EXPECT_GE(coverage.own, .95);
  EXPECT_GE(coverage.together, .95);
  EXPECT_LT(coverage.widths[0], 11);
  EXPECT_LT(coverage.widths[1], .75 * coverage.widths[0]);
  EXPECT_LE(coverage.widths[2], coverage.widths[1]);
}

TEST(LossTable, RankSetsOfAThousandEntriesHoldTheirRanks) {
  const Coverage coverage = coverage_of(1000, 3, {16, 64});
  EXPECT_GE(coverage.own, .95);
  EXPECT_GE(coverage.together, .8) << "of six rankings";
  EXPECT_LT(coverage.widths[0], 60) << "of 1,000";
  EXPECT_LT(coverage.widths[1], .75 * coverage.widths[0]);
}

}  // namespace
}  // namespace mash
