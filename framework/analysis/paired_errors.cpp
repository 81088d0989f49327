// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/paired_errors.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

#include "framework/analysis/paired_differences.hpp"
#include "framework/base/paired_tests.hpp"
#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

constexpr double kInside = .975;  // the quantile at either end of a 95 % interval
constexpr double kPower = .8;
constexpr double kRounding = 1e-12;  // of differences of shares

// The share of the runs that get each example wrong.
std::vector<double> shares_of(const Mistakes& mistakes) {
  std::vector<double> shares(mistakes[0].size());
  for (const auto& run : mistakes)
    for (std::size_t n = 0; n < shares.size(); ++n) shares[n] += double(run[n]) / double(mistakes.size());
  return shares;
}

PairedDifference of_one_run_each(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second) {
  std::size_t num_fixed = 0, num_broken = 0;
  for (std::size_t n = 0; n < first.size(); ++n) {
    num_fixed += first[n] > second[n];
    num_broken += first[n] < second[n];
  }
  const auto count = double(first.size());
  // One more of each kind among two more examples.
  const double fixed = double(num_fixed + 1) / (count + 2), broken = double(num_broken + 1) / (count + 2);
  const double adjusted = broken - fixed, of_none = std::sqrt((fixed + broken) / (count + 2)),
               error = std::sqrt((fixed + broken - adjusted * adjusted) / (count + 2));
  const boost::math::normal normal;
  const double reach = boost::math::quantile(normal, kInside) * error;
  PairedDifference difference;
  difference.mean = (double(num_broken) - double(num_fixed)) / count;
  difference.interval = Interval{std::max(-1.0, adjusted - reach), std::min(1.0, adjusted + reach)};
  difference.p_value = mcnemar(num_fixed, num_broken).p_mid;
  difference.visible =
      (boost::math::quantile(normal, kInside) + boost::math::quantile(normal, kPower)) * of_none;
  return difference;
}

}  // namespace

PairedDifference difference_with_error(double mean, double standard_error, double degrees) {
  PairedDifference difference;
  difference.mean = mean;
  if (!(standard_error > kRounding)) {
    if (std::abs(mean) <= kRounding) difference.p_value = 1;
    return difference;
  }
  const boost::math::students_t distribution(degrees);
  const double reach = boost::math::quantile(distribution, kInside) * standard_error;
  difference.interval = Interval{mean - reach, mean + reach};
  difference.p_value =
      2 * boost::math::cdf(boost::math::complement(distribution, std::abs(mean) / standard_error));
  difference.visible = reach + boost::math::quantile(distribution, kPower) * standard_error;
  return difference;
}

PairedDifference difference_over_examples(const Mistakes& first, const Mistakes& second) {
  require(!first.empty() && !second.empty() && first[0].size() == second[0].size() && first[0].size() >= 2,
          "difference_over_examples: a run each, two examples, as many everywhere");
  if (first.size() == 1 && second.size() == 1) return of_one_run_each(first[0], second[0]);
  std::vector<double> differences = shares_of(second);
  const std::vector<double> before = shares_of(first);
  for (std::size_t n = 0; n < before.size(); ++n) differences[n] -= before[n];
  const auto is_none = [](double difference) { return std::abs(difference) <= kRounding; };
  if (std::all_of(differences.begin(), differences.end(), is_none))
    return of_one_run_each(first[0], first[0]);
  const Statistics statistics = statistics_of(differences);
  const auto count = double(differences.size());
  return difference_with_error(statistics.mean, statistics.sd / std::sqrt(count), count - 1);
}

PairedDifference difference_over_seeds(std::span<const double> first, std::span<const double> second) {
  require(first.size() == second.size() && first.size() >= 2, "difference_over_seeds: two each");
  std::vector<double> differences(first.size());
  std::transform(second.begin(), second.end(), first.begin(), differences.begin(), std::minus<>());
  const Statistics statistics = statistics_of(differences);
  const auto count = double(differences.size());
  // Equal differences of a few seeds, which are multiples of one example, may be chance.
  const double sd = differ_alike(first, second) ? 0 : statistics.sd;
  return difference_with_error(statistics.mean, sd / std::sqrt(count), count - 1);
}

PairedDifference difference_over_both(const Mistakes& first, const Mistakes& second) {
  require(first.size() == second.size() && first.size() >= 2 && first[0].size() >= 2,
          "difference_over_both: two runs each, two examples");
  const std::size_t num_examples = first[0].size();
  PairedDifferences table(num_examples);
  std::vector<double> differences(num_examples);
  for (std::size_t run = 0; run < first.size(); ++run) {
    for (std::size_t n = 0; n < num_examples; ++n)
      differences[n] = double(second[run][n]) - double(first[run][n]);
    table.add(differences);
  }
  const MeanSquares squares = table.mean_squares();
  const double seeds = double(first.size()) - 1, examples = double(num_examples) - 1;
  const double of_examples = squares.examples - squares.rest,
               sum = squares.seeds + std::max(0.0, of_examples);
  double spread = squares.seeds * squares.seeds / seeds;
  if (of_examples > 0)
    spread +=
        squares.examples * squares.examples / examples + squares.rest * squares.rest / (seeds * examples);
  const double degrees = spread > 0 ? std::max(1.0, sum * sum / spread) : seeds;
  return difference_with_error(table.mean(), std::sqrt(table.variance()), degrees);
}

double error_of(std::span<const std::uint8_t> mistakes) {
  return double(std::accumulate(mistakes.begin(), mistakes.end(), std::size_t(0))) / double(mistakes.size());
}

Mistakes mistakes_on(const Mistakes& mistakes, std::span<const std::size_t> examples) {
  Mistakes some;
  for (const auto& run : mistakes) {
    auto& of_run = some.emplace_back();
    for (const std::size_t n : examples) of_run.push_back(run[n]);
  }
  return some;
}

}  // namespace mash
