// SPDX-License-Identifier: Apache-2.0
#include "framework/base/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "framework/base/require.hpp"

namespace mash {
namespace {

// The rank of each value, from 1; equal values share the mean of their ranks.
std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  std::vector<double> result(values.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t i = begin; i < end; ++i) result[order[i]] = 0.5 * double(begin + 1 + end);
  }
  return result;
}

}  // namespace

Statistics statistics_of(std::span<const double> values) {
  Statistics result;
  for (const double value : values) result.mean += value / double(values.size());
  if (values.size() < 2) return result;
  for (const double value : values) result.sd += (value - result.mean) * (value - result.mean);
  result.sd = std::sqrt(result.sd / double(values.size() - 1));
  return result;
}

double median(std::span<const double> values) {
  if (values.empty()) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  const auto middle = sorted.begin() + std::ptrdiff_t(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

Estimate estimate(double mean, double sd, std::int64_t n) {
  if (n < 2) return {mean, std::nullopt};
  const boost::math::students_t distribution(double(n - 1));
  return {mean, boost::math::quantile(distribution, 0.975) * sd / std::sqrt(double(n))};
}

Estimate estimate(std::span<const double> values) {
  require(!values.empty(), "estimate: at least one value");
  const Statistics statistics = statistics_of(values);
  return estimate(statistics.mean, statistics.sd, std::int64_t(values.size()));
}

double student_p_value(double t, std::size_t degrees) {
  require(degrees >= 1, "student_p_value: degrees >= 1");
  using boost::math::complement, boost::math::students_t;
  return 2 * boost::math::cdf(complement(students_t(double(degrees)), std::abs(t)));
}

StudentTail::StudentTail(double tail) {
  require(tail > 0 && tail < .5, "student tail: 0 < tail < .5");
  constexpr std::size_t kSteps = 1000;
  constexpr double kMostDegrees = 1e6;
  for (std::size_t i = 0; i <= kSteps; ++i) {
    degrees_.push_back(std::pow(kMostDegrees, double(i) / double(kSteps)));
    const boost::math::students_t distribution(degrees_.back());
    t_.push_back(boost::math::quantile(boost::math::complement(distribution, tail)));
  }
}

double StudentTail::degrees_of(double t) const {
  const auto next = std::size_t(std::ranges::lower_bound(t_, t, std::greater()) - t_.begin());
  if (next == 0) return degrees_.front();
  if (next == t_.size()) return degrees_.back();
  const double share = (t_[next - 1] - t) / (t_[next - 1] - t_[next]);
  return degrees_[next - 1] + share * (degrees_[next] - degrees_[next - 1]);
}

ShareInterval share_interval(std::uint64_t count, std::uint64_t total) {
  require(count <= total && total >= 1, "share_interval: count <= total, total >= 1");
  using boost::math::binomial_distribution;
  constexpr double kHalfOfRest = 0.025;
  const auto n = double(total), k = double(count);
  return {binomial_distribution<>::find_lower_bound_on_p(n, k, kHalfOfRest),
          binomial_distribution<>::find_upper_bound_on_p(n, k, kHalfOfRest)};
}

double rank_correlation(std::span<const double> a, std::span<const double> b) {
  require(a.size() == b.size() && a.size() >= 2, "rank_correlation: as many of a as of b, at least two");
  const std::vector<double> ranks_a = ranks(a), ranks_b = ranks(b);
  const double mean = 0.5 * double(a.size() + 1);
  double product = 0, squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += (ranks_a[i] - mean) * (ranks_b[i] - mean);
    squares_a += (ranks_a[i] - mean) * (ranks_a[i] - mean);
    squares_b += (ranks_b[i] - mean) * (ranks_b[i] - mean);
  }
  return squares_a == 0 || squares_b == 0 ? 0 : product / std::sqrt(squares_a * squares_b);
}

double total_variation(std::span<const double> a, std::span<const double> b) {
  require(a.size() == b.size(), "total_variation: as many of a as of b");
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

}  // namespace mash
