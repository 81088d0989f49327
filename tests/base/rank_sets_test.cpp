// SPDX-License-Identifier: Apache-2.0
#include "framework/base/rank_sets.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>

#include "framework/base/random.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using Matrix = std::vector<std::vector<PairDifference>>;

std::vector<RankSet> sets_of(const Matrix& pairs) {
  return rank_sets(pairs.size(), [&](std::size_t i, std::size_t j) { return pairs[i][j]; });
}

// Entries with these means, each pair with the same error and degrees of freedom.
Matrix pairs_of(const std::vector<double>& means, double error, double degrees) {
  Matrix pairs(means.size(), std::vector<PairDifference>(means.size()));
  for (std::size_t i = 0; i < means.size(); ++i)
    for (std::size_t j = 0; j < means.size(); ++j) pairs[i][j] = {means[i] - means[j], error, degrees};
  return pairs;
}

// A one-sided test: whether entry `better` is better than entry `worse`.
struct Claim {
  std::size_t better, worse;
  double p;
};

// Holm's procedure as it is written down: all p-values sorted, no limits.
std::vector<Claim> surely(std::vector<Claim> claims, double alpha = .05) {
  std::ranges::sort(claims, {}, &Claim::p);
  std::size_t num_rejected = 0;
  while (num_rejected < claims.size() &&
         claims[num_rejected].p <= alpha / double(claims.size() - num_rejected))
    ++num_rejected;
  claims.resize(num_rejected);
  return claims;
}

Claim claim(const Matrix& pairs, std::size_t better, std::size_t worse) {
  const PairDifference& pair = better < worse ? pairs[better][worse] : pairs[worse][better];
  const double t = pair.error > 0 ? (better < worse ? 1 : -1) * pair.mean / pair.error : 0;
  return {better, worse,
          boost::math::cdf(boost::math::complement(boost::math::students_t(std::max(1.0, pair.degrees)), t))};
}

RankInterval interval_of(const std::vector<Claim>& sure, std::size_t entry, std::size_t num_entries) {
  RankInterval interval{1, std::int64_t(num_entries)};
  for (const Claim& one : sure) {
    interval.low += one.worse == entry;
    interval.high -= one.better == entry;
  }
  return interval;
}

TEST(RankSets, WorkedByHand) {
  // t = 6 with 4 degrees has p = .0019; of 4 tests of an entry, .05 / 4 = .0125 is enough; t = 1 has .19.
  const std::vector<RankSet> sets = sets_of(pairs_of({7, 1, 0}, 1, 4));
  EXPECT_EQ(sets[0].own.low, 1);
  EXPECT_EQ(sets[0].own.high, 1);
  EXPECT_EQ(sets[1].own.low, 2);
  EXPECT_EQ(sets[1].own.high, 3);
  EXPECT_EQ(sets[2].own.low, 2);
  // 1 + P(second better) + P(third better), of differences of 1 and 7 errors.
  EXPECT_NEAR(sets[2].expected, 1 + 1 + .841345, 1e-6);
  EXPECT_NEAR(sets[0].expected + sets[1].expected + sets[2].expected, 6, 1e-9);
}

TEST(RankSets, OneEntryOrNone) {
  EXPECT_TRUE(sets_of({}).empty());
  const auto sets = sets_of(pairs_of({3}, 1, 4));
  EXPECT_EQ(sets[0].own.low, 1);
  EXPECT_EQ(sets[0].own.high, 1);
  EXPECT_EQ(sets[0].expected, 1);
}

TEST(RankSets, EqualEntriesAndUnknownErrorsAreNotToldApart) {
  const auto equal = sets_of(pairs_of({2, 2, 2}, 0, 4)), unknown = sets_of(pairs_of({3, 2, 1}, 0, 4));
  for (const auto& sets : {equal, unknown})
    for (const RankSet& set : sets) {
      EXPECT_EQ(set.own.low, 1);
      EXPECT_EQ(set.own.high, 3);
      EXPECT_NEAR(set.expected, 2, 1e-12);
    }
}

// Random rankings, with few and many degrees of freedom: as without the limits that save p-values.
TEST(RankSets, AreThoseOfTheDefinition) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomStream stream(seed, "test.ranks");
    const std::size_t num_entries = 2 + stream.below(12);
    std::vector<double> means;
    for (std::size_t i = 0; i < num_entries; ++i) means.push_back(4 * stream.normal());
    Matrix pairs = pairs_of(means, 1, 1);
    for (auto& row : pairs)
      for (PairDifference& pair : row) {
        pair.error = stream.uniform(.3, 2);
        pair.degrees = std::pow(10, stream.uniform(0, 4));
      }
    const std::vector<RankSet> found = sets_of(pairs);
    std::vector<Claim> all;
    for (std::size_t i = 0; i < num_entries; ++i) {
      std::vector<Claim> own;
      for (std::size_t j = 0; j < num_entries; ++j)
        if (j != i) {
          own.push_back(claim(pairs, i, j));
          own.push_back(claim(pairs, j, i));
          all.push_back(claim(pairs, i, j));
        }
      const RankInterval expected = interval_of(surely(own), i, num_entries);
      EXPECT_EQ(found[i].own.low, expected.low) << seed;
      EXPECT_EQ(found[i].own.high, expected.high) << seed;
    }
    const auto sure = surely(all);
    for (std::size_t i = 0; i < num_entries; ++i) {
      const RankInterval expected = interval_of(sure, i, num_entries);
      EXPECT_EQ(found[i].together.low, expected.low) << seed;
      EXPECT_EQ(found[i].together.high, expected.high) << seed;
      EXPECT_LE(found[i].together.low, found[i].own.low) << "wider than its own";
      EXPECT_GE(found[i].together.high, found[i].own.high);
    }
  }
}

// Two entries near each other and one far away. Where the examples alone leave the first pair open, no number
// of seeds is of use to them.
TEST(RankSets, SayWhereExamplesAreTheLimit) {
  Matrix pairs = pairs_of({3, 2.8, 0}, .1, 1000);
  EXPECT_THAT(sets_of(pairs)[0].open_to_seeds, ElementsAre(1u));
  EXPECT_FALSE(sets_of(pairs)[0].is_limited_by_examples()) << "the examples' part is not known";
  for (auto& row : pairs)
    for (PairDifference& pair : row) pair.of_examples = .05;
  EXPECT_FALSE(sets_of(pairs)[0].is_limited_by_examples()) << "4 errors of .05 apart";
  for (auto& row : pairs)
    for (PairDifference& pair : row) pair.of_examples = .1;
  const auto sets = sets_of(pairs);
  for (const std::size_t i : {0u, 1u}) {
    EXPECT_TRUE(sets[i].is_limited_by_examples());
    // 2 errors of .1 apart, which have to be 2.24 (normal quantile at .05 / 4).
    EXPECT_NEAR(sets[i].wanted_examples, std::pow(2.2414 / 2, 2), 1e-3);
  }
  EXPECT_EQ(sets[0].num_beyond_seeds, 1u);
  EXPECT_EQ(sets[0].num_open(), 1u);
  EXPECT_EQ(sets[2].num_open(), 0u);
  EXPECT_FALSE(sets[2].is_limited_by_examples());
  EXPECT_TRUE(sets_of(Matrix(1, {PairDifference()}))[0].num_open() == 0u);
}

// A difference of 1.5 errors of the examples that seeds may still move: only where they may not move it to
// the limit of 1.96 is it the examples' limit.
TEST(RankSets, ADifferenceThatSeedsMayStillMoveIsNotLimitedByExamples) {
  Matrix pairs = pairs_of({1.5, 0}, 1, 1000);
  const std::map<double, bool> limited{
      {.1, true}, {.2, true}, {.3, false}, {1, false}};  // by the seeds' part
  for (const auto& [of_seeds, is_limited] : limited) {
    for (auto& row : pairs)
      for (PairDifference& pair : row) {
        pair.of_examples = 1;
        pair.error = std::hypot(1, of_seeds);
      }
    EXPECT_EQ(sets_of(pairs)[0].own.high, 2);
    EXPECT_EQ(sets_of(pairs)[0].is_limited_by_examples(), is_limited) << of_seeds;
    EXPECT_EQ(sets_of(pairs)[0].open_to_seeds.empty(), is_limited) << of_seeds;
  }
}

TEST(RankSets, WantedExamplesAreWholeOnesAndNoMoreThanABillion) {
  RankSet set;
  EXPECT_EQ(set.num_wanted(1000), 0u) << "there is none";
  set.wanted_examples = 1.2345;
  EXPECT_EQ(set.num_wanted(1000), 1235u);
  for (const double many : {1.1e6, 1e30, HUGE_VAL}) {
    set.wanted_examples = many;
    EXPECT_EQ(set.num_wanted(1000), 0u) << many;
  }
  Matrix pairs = pairs_of({1e-200, 0}, 1, 1000);
  for (auto& row : pairs)
    for (PairDifference& pair : row) pair.of_examples = 1;
  EXPECT_TRUE(sets_of(pairs)[0].is_limited_by_examples());
  EXPECT_EQ(sets_of(pairs)[0].num_wanted(1000), 0u);
  pairs[0][1].mean = 0;
  EXPECT_TRUE(sets_of(pairs)[0].is_limited_by_examples()) << "of different entries with equal means";
  EXPECT_EQ(sets_of(pairs)[0].wanted_examples, 0);
}

// Nothing parts an entry from its copy, neither seeds nor examples: it limits nothing, and nobody waits for
// more seeds.
TEST(RankSets, EqualEntriesAreOpenToNothing) {
  Matrix pairs = pairs_of({2, 2, 0}, .1, 1000);
  pairs[0][1] = {0, 0, 1, 0, true};
  const auto sets = sets_of(pairs);
  for (const std::size_t i : {0u, 1u}) {
    EXPECT_EQ(sets[i].own.low, 1);
    EXPECT_EQ(sets[i].own.high, 2);
    EXPECT_EQ(sets[i].num_open(), 0u);
    EXPECT_FALSE(sets[i].is_limited_by_examples());
  }
  EXPECT_FALSE(next_to_measure(sets, std::vector<std::size_t>{16, 16, 16}, 128));
  pairs[0][1].are_equal = false;
  EXPECT_THAT(sets_of(pairs)[0].open_to_seeds, ElementsAre(1u)) << "nothing is known of them";
}

TEST(NextToMeasure, IsOfTheWidestAndItsPartnersTheOneWithTheFewestSeeds) {
  std::vector<RankSet> sets(4);
  sets[0] = {.own = {1, 2}, .expected = 1.2, .open_to_seeds = {1}};
  sets[1] = {.own = {1, 3}, .expected = 2, .open_to_seeds = {0, 2}};
  sets[2] = {.own = {2, 3}, .expected = 2.8, .open_to_seeds = {1}};
  sets[3] = {.own = {4, 4}, .expected = 4};
  using Seeds = std::vector<std::size_t>;
  EXPECT_EQ(next_to_measure(sets, Seeds{16, 16, 16, 16}, 128), 1u) << "the most ranks";
  EXPECT_EQ(next_to_measure(sets, Seeds{16, 32, 16, 16}, 128), 0u) << "which has no more to tell alone";
  EXPECT_EQ(next_to_measure(sets, Seeds{32, 32, 16, 16}, 128), 2u);
  EXPECT_EQ(next_to_measure(sets, Seeds{32, 32, 32, 16}, 128), 1u) << "entry 3 is apart";
  EXPECT_EQ(next_to_measure(sets, Seeds{128, 64, 128, 16}, 128), 1u);
  EXPECT_EQ(next_to_measure(sets, Seeds{128, 128, 128, 16}, 128), std::nullopt);
  EXPECT_EQ(next_to_measure(sets, Seeds{16, 16, 16, 16}, 31), std::nullopt);
  // Entry 2 sees 1 as open, which does not see it; 1 has the fewest of the partners of the partners.
  sets[0] = {.own = {1, 4}, .expected = 1.2, .open_to_seeds = {2}};
  sets[1] = {.own = {1, 1}, .expected = 1.5};
  EXPECT_EQ(next_to_measure(sets, Seeds{64, 16, 32, 16}, 128), 1u);
  EXPECT_EQ(next_to_measure({}, {}, 128), std::nullopt);
}

// A board of which any two are told apart by the seeds that both have: each look changes something, and the
// seeds of two whose order is open differ by one doubling at most.
TEST(NextToMeasure, OpenPairsRiseTogether) {
  for (std::uint64_t board = 1; board <= 20; ++board) {
    RandomStream stream(board, "test.next");
    std::vector<double> means(8);
    for (double& mean : means) mean = stream.normal();
    std::vector<std::size_t> num_seeds(means.size(), 16);
    const DifferenceOf difference = [&](std::size_t i, std::size_t j) {
      const auto common = double(std::min(num_seeds[i], num_seeds[j]));
      return PairDifference{means[i] - means[j], std::sqrt(2 / common), common - 1, .05};
    };
    auto sets = rank_sets(means.size(), difference, .01);
    for (;;) {
      const auto next = next_to_measure(sets, num_seeds, 256);
      if (!next) break;
      num_seeds[*next] *= 2;
      ASSERT_LE(num_seeds[*next], 256u);
      sets = rank_sets(means.size(), difference, .01);
      for (std::size_t i = 0; i < means.size(); ++i)
        for (const std::size_t other : sets[i].open_to_seeds) {
          EXPECT_LE(num_seeds[i], 2 * num_seeds[other]) << board;
          EXPECT_LE(num_seeds[other], 2 * num_seeds[i]) << board;
        }
    }
    for (std::size_t i = 0; i < means.size(); ++i)
      for (const std::size_t other : sets[i].open_to_seeds)
        EXPECT_EQ(num_seeds[i] + num_seeds[other], 512u) << board << ": open, with seeds left";
  }
}

TEST(RankSets, PairsNearTheirLimitAreThoseThatASmallerErrorCouldPart) {
  // Limits: 2.24 (the first step of Holm for three entries) and 2.13 (the last); errors may be 1.41 times too
  // large.
  const Matrix pairs = pairs_of({3, 2.8, 2.69}, .1, 1e6);
  const DifferenceOf difference = [&](std::size_t i, std::size_t j) { return pairs[i][j]; };
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(pairs_near_limit(3, difference, .05, 9), (Pairs{{0, 1}})) << "1.1 and 3.1 errors are too far";
  const Matrix apart = pairs_of({3, 2.72, 2.4}, .1, 1e6);
  EXPECT_EQ(pairs_near_limit(
                3, [&](std::size_t i, std::size_t j) { return apart[i][j]; }, .05, 9),
            (Pairs{{0, 1}}))
      << "2.8 errors are apart, and may be open by other degrees of freedom; 3.2 and 6 are not";
  EXPECT_EQ(pairs_near_limit(3, difference, .05, 0), Pairs());
  EXPECT_EQ(pairs_near_limit(1, difference, .05, 9), Pairs());
  const Matrix more = pairs_of({3, 2.8, 2.59}, .1, 1e6);
  EXPECT_EQ(pairs_near_limit(
                3, [&](std::size_t i, std::size_t j) { return more[i][j]; }, .05, 1),
            (Pairs{{1, 2}}))
      << "2.1 errors are nearer than 2";
}

// Twenty entries, half of them equal, measured with 16 seeds whose errors correlate: each set holds its rank
// in at least 95 % of the rankings, and all sets of a ranking together do.
TEST(RankSets, HoldTheRanks) {
  constexpr std::size_t kEntries = 20, kSeeds = 16;
  constexpr int kRankings = 400;
  int num_held = 0, num_all_held = 0;
  for (int ranking = 0; ranking < kRankings; ++ranking) {
    RandomStream stream(std::uint64_t(ranking), "test.coverage");
    std::vector<double> truth(kEntries), measured(kEntries);
    for (std::size_t i = kEntries / 2; i < kEntries; ++i) truth[i] = 2 + 2 * stream.normal();
    std::vector<std::vector<double>> seeds(kEntries, std::vector<double>(kSeeds));
    for (std::size_t s = 0; s < kSeeds; ++s) {
      const double shared = stream.normal();
      for (std::size_t i = 0; i < kEntries; ++i) {
        seeds[i][s] = truth[i] + .6 * shared + .8 * stream.normal();
        measured[i] += seeds[i][s] / kSeeds;
      }
    }
    const auto sets = rank_sets(kEntries, [&](std::size_t i, std::size_t j) {
      double squares = 0;
      for (std::size_t s = 0; s < kSeeds; ++s)
        squares += std::pow(seeds[i][s] - seeds[j][s] - measured[i] + measured[j], 2);
      return PairDifference{measured[i] - measured[j], std::sqrt(squares / (kSeeds - 1) / kSeeds),
                            double(kSeeds - 1)};
    });
    bool all_held = true;
    for (std::size_t i = 0; i < kEntries; ++i) {
      const auto num_better = std::ranges::count_if(truth, [&](double other) { return other > truth[i]; });
      const auto num_worse = std::ranges::count_if(truth, [&](double other) { return other < truth[i]; });
      // Equal entries share ranks, each of which is right.
      const auto holds = [&](const RankInterval& set) {
        return set.low <= std::int64_t(kEntries) - num_worse && set.high >= num_better + 1;
      };
      num_held += holds(sets[i].own);
      all_held = all_held && holds(sets[i].together);
    }
    num_all_held += all_held;
  }
  EXPECT_GE(num_held, .95 * kRankings * int(kEntries));
  EXPECT_GE(num_all_held, .95 * kRankings);
}

}  // namespace
}  // namespace mash
