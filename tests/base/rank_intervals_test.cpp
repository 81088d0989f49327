// SPDX-License-Identifier: Apache-2.0
#include "framework/base/rank_intervals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "framework/base/paired_tests.hpp"
#include "framework/base/random.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

OccasionScores scores(double mean, double sd, std::uint64_t stream, int num_occasions = 10) {
  RandomStream random(1, "test.rank-intervals", stream);
  OccasionScores result;
  for (int i = 0; i < num_occasions; ++i) result[i] = mean + sd * random.normal();
  return result;
}

void expect_interval(const RankInterval& interval, std::int64_t low, std::int64_t high) {
  EXPECT_EQ(interval.low, low);
  EXPECT_EQ(interval.high, high);
}

TEST(RankIntervals, TheSurelyBetterOneIsFirstAndTheOthersAreTied) {
  const std::vector<OccasionScores> competitors{scores(0.5, 0.01, 1), scores(0.9, 0.01, 2),
                                                scores(0.5, 0.01, 3)};
  const auto intervals = rank_intervals(competitors);
  expect_interval(intervals[0], 2, 3);
  expect_interval(intervals[1], 1, 1);
  expect_interval(intervals[2], 2, 3);
}

TEST(RankIntervals, DifferencesCountAndNotTheSpreadOverOccasions) {
  std::vector<OccasionScores> competitors{scores(0, 1, 1), {}};
  for (const auto& [occasion, score] : competitors[0])
    competitors[1][occasion] = score + 0.1 + 0.001 * double(occasion % 2);
  const auto intervals = rank_intervals(competitors);
  expect_interval(intervals[0], 2, 2);
  expect_interval(intervals[1], 1, 1);
}

TEST(RankIntervals, WithoutThreeSharedOccasionsThatDifferNothingIsSure) {
  const auto apart = rank_intervals(
      std::vector<OccasionScores>{{{1, 0.1}, {2, 0.1}, {3, 0.1}}, {{2, 0.9}, {3, 0.8}, {4, 0.9}}, {}});
  for (const RankInterval& interval : apart) expect_interval(interval, 1, 3);
  // Errors are multiples of one example: two mistakes more each time may be chance.
  const auto alike = rank_intervals(
      std::vector<OccasionScores>{{{1, 0.1}, {2, 0.2}, {3, 0.15}}, {{1, 0.12}, {2, 0.22}, {3, 0.17}}});
  for (const RankInterval& interval : alike) expect_interval(interval, 1, 2);
  EXPECT_TRUE(rank_intervals({}).empty());
  expect_interval(rank_intervals(std::vector<OccasionScores>{{}})[0], 1, 1);
}

// t = 2.9 at 9 degrees of freedom: p = 0.018, enough for one pair and too much for 45.
TEST(RankIntervals, ManyPairsNeedMoreEvidence) {
  const auto pair_of = [](double lead) {
    OccasionScores leader, other;
    for (int i = 0; i < 10; ++i) {
      other[i] = 0;
      leader[i] = lead + (i % 2 ? 1 : -1);
    }
    return std::vector<OccasionScores>{leader, other};
  };
  std::vector<OccasionScores> competitors =
      pair_of(2.9 / 3);  // the standard error is sqrt(10 / 9 / 10) = 1 / 3
  expect_interval(rank_intervals(competitors)[0], 1, 1);
  for (std::uint64_t i = 0; i < 8; ++i) competitors.push_back(scores(0.5, 5, 10 + i));
  expect_interval(rank_intervals(competitors)[0], 1, 10);
}

TEST(RankIntervals, RandomCompetitorsAreRarelyToldApart) {
  int num_told_apart = 0;
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    std::vector<OccasionScores> competitors;
    for (std::uint64_t i = 0; i < 6; ++i) competitors.push_back(scores(0, 1, 100 + 6 * trial + i, 8));
    for (const RankInterval& interval : rank_intervals(competitors))
      if (interval.low != 1 || interval.high != 6) {
        ++num_told_apart;
        break;
      }
  }
  EXPECT_LE(num_told_apart, 20);  // 5 % of 200 are 10; beyond 20 with probability 0.002
}

// t = 3 at 7 degrees of freedom: p = 0.020, enough for one pair and too much for six.
TEST(MeasuredRankIntervals, ErrorsTellWhoIsApart) {
  const double half = std::sqrt(.5);
  const auto two = measured_rank_intervals(std::vector<MeasuredScore>{{0, half, 8}, {3, half, 16}});
  expect_interval(two[0], 2, 2);
  expect_interval(two[1], 1, 1);
  const auto few_seeds = measured_rank_intervals(std::vector<MeasuredScore>{{0, half, 2}, {3, half, 16}});
  for (const RankInterval& interval : few_seeds) expect_interval(interval, 1, 2);
  const auto four = measured_rank_intervals(
      std::vector<MeasuredScore>{{0, half, 8}, {3, half, 8}, {1.5, half, 8}, {9, half, 8}});
  expect_interval(four[0], 2, 4);
  expect_interval(four[1], 2, 4);
  expect_interval(four[3], 1, 1);
  const auto exact = measured_rank_intervals(std::vector<MeasuredScore>{{1, 0, 4}, {1, 0, 4}, {2, 0, 4}});
  expect_interval(exact[0], 2, 3);
  expect_interval(exact[2], 1, 1);
  EXPECT_TRUE(measured_rank_intervals({}).empty());
}

// Holm's correction of the p-value of every pair, as it is written.
std::vector<RankInterval> by_every_p_value(const std::vector<MeasuredScore>& competitors) {
  std::vector<double> p_values;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // better, worse
  for (std::size_t i = 0; i < competitors.size(); ++i)
    for (std::size_t j = i + 1; j < competitors.size(); ++j) {
      const MeasuredScore &a = competitors[i], &b = competitors[j];
      const double error = std::hypot(a.standard_error, b.standard_error);
      p_values.push_back(
          student_p_value((a.score - b.score) / error, std::min(a.num_seeds, b.num_seeds) - 1));
      pairs.emplace_back(a.score > b.score ? i : j, a.score > b.score ? j : i);
    }
  const std::vector<double> corrected = holm_corrected(p_values);
  std::vector<RankInterval> intervals(competitors.size(), {1, std::int64_t(competitors.size())});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (corrected[i] >= .05) continue;
    ++intervals[pairs[i].second].low;
    --intervals[pairs[i].first].high;
  }
  return intervals;
}

TEST(MeasuredRankIntervals, AreThoseOfEveryPValue) {
  for (std::uint64_t round = 0; round < 200; ++round) {
    RandomStream random(1, "ranks", round);
    std::vector<MeasuredScore> competitors(2 + random.below(30));
    for (MeasuredScore& one : competitors)
      one = {3 * random.normal(), .05 + random.uniform(), 2 + std::size_t(random.below(15))};
    const auto fast = measured_rank_intervals(competitors), all = by_every_p_value(competitors);
    for (std::size_t i = 0; i < competitors.size(); ++i) {
      EXPECT_EQ(fast[i].low, all[i].low) << round;
      EXPECT_EQ(fast[i].high, all[i].high) << round;
    }
  }
}

}  // namespace
}  // namespace mash
