// SPDX-License-Identifier: Apache-2.0
#include "framework/base/rank_intervals.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "framework/base/paired_tests.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

constexpr double kLevel = 0.05;
constexpr std::size_t kFewestOccasions = 3;

// Two competitors, the better one first by their mean difference.
struct Pair {
  std::size_t better = 0, worse = 0;
  double p_value = 1;
};

// The values of both on the occasions that they share.
void shared(const OccasionScores& a, const OccasionScores& b, std::vector<double>& of_a,
            std::vector<double>& of_b) {
  for (const auto& [occasion, score] : a)
    if (const auto other = b.find(occasion); other != b.end()) {
      of_a.push_back(score);
      of_b.push_back(other->second);
    }
}

std::vector<Pair> tested_pairs(std::span<const OccasionScores> competitors) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < competitors.size(); ++i)
    for (std::size_t j = i + 1; j < competitors.size(); ++j) {
      std::vector<double> first, second;
      shared(competitors[i], competitors[j], first, second);
      if (first.size() < kFewestOccasions || differ_alike(first, second)) continue;
      const PairedTest test = paired_test(first, second);
      const bool first_is_better = test.mean_difference > 0;
      pairs.push_back({first_is_better ? i : j, first_is_better ? j : i, *test.p_value});
    }
  return pairs;
}

void tell_apart(std::vector<RankInterval>& intervals, std::size_t better, std::size_t worse) {
  ++intervals[worse].low;
  --intervals[better].high;
}

std::vector<RankInterval> intervals_from(std::span<const Pair> pairs, std::size_t num_competitors) {
  std::vector<double> p_values;
  for (const Pair& pair : pairs) p_values.push_back(pair.p_value);
  const std::vector<double> corrected = holm_corrected(p_values);
  std::vector<RankInterval> intervals(num_competitors, {1, std::int64_t(num_competitors)});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (corrected[i] < kLevel) tell_apart(intervals, pairs[i].better, pairs[i].worse);
  }
  return intervals;
}

// The difference of two competitors in units of its error.
struct MeasuredPair {
  std::size_t better = 0, worse = 0;
  double squared_t = 0;
  std::size_t degrees = 1;
};

std::vector<MeasuredPair> measured_pairs(std::span<const MeasuredScore> competitors) {
  std::vector<MeasuredPair> pairs;
  pairs.reserve(competitors.size() * competitors.size() / 2);
  for (std::size_t i = 0; i < competitors.size(); ++i)
    for (std::size_t j = i + 1; j < competitors.size(); ++j) {
      const MeasuredScore &a = competitors[i], &b = competitors[j];
      const double difference = a.score - b.score;
      const double squared_error = a.standard_error * a.standard_error + b.standard_error * b.standard_error;
      // Without any error all differences are sure.
      const double squared_t = difference == 0      ? 0
                               : squared_error == 0 ? std::numeric_limits<double>::infinity()
                                                    : difference * difference / squared_error;
      pairs.push_back({difference > 0 ? i : j, difference > 0 ? j : i, squared_t,
                       std::min(a.num_seeds, b.num_seeds) - 1});
    }
  return pairs;
}

// The t > 0 of which p_value is the two-sided one.
double student_t_of(double p_value, std::size_t degrees) {
  const boost::math::students_t distribution{double(degrees)};
  return boost::math::quantile(boost::math::complement(distribution, p_value / 2));
}

// Moves the pairs whose p-value is below `level` to the front. Returns where the others begin.
std::span<MeasuredPair>::iterator partition_below(std::span<MeasuredPair> pairs, double level) {
  std::map<std::size_t, double> limits;  // of squared t, by degrees of freedom
  return std::partition(pairs.begin(), pairs.end(), [&](const MeasuredPair& pair) {
    const auto [limit, is_new] = limits.try_emplace(pair.degrees);
    if (is_new) {
      const double t = student_t_of(level, pair.degrees);
      limit->second = t * t;
    }
    return pair.squared_t > limit->second;
  });
}

}  // namespace

std::vector<RankInterval> rank_intervals(std::span<const OccasionScores> competitors) {
  return intervals_from(tested_pairs(competitors), competitors.size());
}

// Holm's steps without a p-value of each pair, of which 1,000 competitors have half a million: where that
// many are left, all below kLevel / num_left are told apart, which leaves fewer, and so on until none is.
std::vector<RankInterval> measured_rank_intervals(std::span<const MeasuredScore> competitors) {
  std::vector<MeasuredPair> pairs = measured_pairs(competitors);
  std::vector<RankInterval> intervals(competitors.size(), {1, std::int64_t(competitors.size())});
  for (std::span<MeasuredPair> left = pairs; !left.empty();) {
    const auto rest = partition_below(left, kLevel / double(left.size()));
    if (rest == left.begin()) break;
    for (auto pair = left.begin(); pair != rest; ++pair) tell_apart(intervals, pair->better, pair->worse);
    left = {rest, left.end()};
  }
  return intervals;
}

}  // namespace mash
