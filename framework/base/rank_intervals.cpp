// SPDX-License-Identifier: Apache-2.0
#include "framework/base/rank_intervals.hpp"

#include <algorithm>
#include <cmath>

#include "framework/base/paired_test.hpp"
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

std::vector<RankInterval> intervals_from(std::span<const Pair> pairs, std::size_t num_competitors) {
  std::vector<double> p_values;
  for (const Pair& pair : pairs) p_values.push_back(pair.p_value);
  const std::vector<double> corrected = holm_corrected(p_values);
  std::vector<RankInterval> intervals(num_competitors, {1, std::int64_t(num_competitors)});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (corrected[i] >= kLevel) continue;
    ++intervals[pairs[i].worse].low;
    --intervals[pairs[i].better].high;
  }
  return intervals;
}

// The p-value of no difference.
double p_value_of(const MeasuredScore& a, const MeasuredScore& b) {
  const double error = std::hypot(a.standard_error, b.standard_error);
  if (error == 0) return a.score == b.score ? 1 : 0;
  return student_p_value((a.score - b.score) / error, std::min(a.num_seeds, b.num_seeds) - 1);
}

}  // namespace

std::vector<RankInterval> rank_intervals(std::span<const OccasionScores> competitors) {
  return intervals_from(tested_pairs(competitors), competitors.size());
}

std::vector<RankInterval> measured_rank_intervals(std::span<const MeasuredScore> competitors) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < competitors.size(); ++i)
    for (std::size_t j = i + 1; j < competitors.size(); ++j) {
      const bool first_is_better = competitors[i].score > competitors[j].score;
      pairs.push_back(
          {first_is_better ? i : j, first_is_better ? j : i, p_value_of(competitors[i], competitors[j])});
    }
  return intervals_from(pairs, competitors.size());
}

}  // namespace mash
