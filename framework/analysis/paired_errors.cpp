// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/paired_errors.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>
#include <utility>

#include "framework/analysis/paired_differences.hpp"
#include "framework/base/paired_tests.hpp"
#include "framework/base/require.hpp"
#include "framework/base/statistics.hpp"

namespace mash {
namespace {

constexpr double kPower = .8;
constexpr double kRounding = 1e-12;  // of differences of shares

// The share of the runs that get each example wrong.
std::vector<double> shares_of(const Mistakes& mistakes) {
  std::vector<double> shares(mistakes[0].size());
  for (const auto& run : mistakes)
    for (std::size_t n = 0; n < shares.size(); ++n) shares[n] += double(run[n]) / double(mistakes.size());
  return shares;
}

// The examples that only one of two runs gets wrong.
struct Changed {
  std::size_t num_fixed = 0, num_broken = 0, num_examples = 0;
};

// By how many standard errors a normal interval reaches to either side that misses with this probability.
double normal_factor(double miss) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), miss / 2));
}

// Makes the interval agree with the test: where one says that 0 may be true and the other does not, the end
// that is nearer to 0 becomes that of the normal interval which has this p.
Interval agreeing(Interval interval, double mean, double p_value, double miss) {
  double& nearer = mean > 0 ? interval.low : interval.high;
  const bool leaves_out = mean > 0 ? nearer > 0 : nearer < 0;
  if (mean != 0 && leaves_out != (p_value < miss))
    nearer = mean * (1 - normal_factor(miss) / normal_factor(p_value));
  return interval;
}

PairedDifference of_one_run_each(const Changed& changed, double miss) {
  const auto count = double(changed.num_examples), num_fixed = double(changed.num_fixed),
             num_broken = double(changed.num_broken);
  // One more of each kind among two more examples.
  const double fixed = (num_fixed + 1) / (count + 2), broken = (num_broken + 1) / (count + 2);
  const double adjusted = broken - fixed, of_none = std::sqrt((fixed + broken) / (count + 2)),
               error = std::sqrt((fixed + broken - adjusted * adjusted) / (count + 2));
  const double factor = normal_factor(miss);
  PairedDifference difference;
  difference.mean = (num_broken - num_fixed) / count;
  difference.p_value = mcnemar(changed.num_fixed, changed.num_broken).p_mid;
  const Interval wald{std::max(-1.0, adjusted - factor * error), std::min(1.0, adjusted + factor * error)};
  difference.interval = agreeing(wald, difference.mean, *difference.p_value, miss);
  difference.visible = (factor + normal_factor(2 * (1 - kPower))) * of_none;
  difference.with_miss = [=](double other) { return of_one_run_each(changed, other); };
  return difference;
}

Changed changes_of(std::span<const std::uint8_t> first, std::span<const std::uint8_t> second) {
  Changed changed{.num_examples = first.size()};
  for (std::size_t n = 0; n < first.size(); ++n) {
    changed.num_fixed += first[n] > second[n];
    changed.num_broken += first[n] < second[n];
  }
  return changed;
}

}  // namespace

PairedDifference difference_with_error(double mean, const MeanError& error, double miss) {
  PairedDifference difference;
  difference.mean = mean;
  if (!(error.standard_error() > kRounding)) {
    if (std::abs(mean) <= kRounding) difference.p_value = 1;
    return difference;
  }
  difference.p_value = error.p_value(mean);
  difference.interval = error.around(mean, miss);
  difference.error = error;
  difference.visible = error.reach(miss) + error.reach(2 * (1 - kPower));
  difference.with_miss = [=](double other) { return difference_with_error(mean, error, other); };
  return difference;
}

std::vector<std::optional<double>> correct_together(std::span<PairedDifference* const> differences) {
  std::vector<double> p_values;
  for (const PairedDifference* difference : differences)
    if (difference->p_value) p_values.push_back(*difference->p_value);
  const std::vector<double> corrected = holm_corrected(p_values), factors = holm_factors(p_values);
  std::vector<std::optional<double>> result;
  std::size_t next = 0;
  for (PairedDifference* difference : differences) {
    if (!difference->p_value) {
      result.emplace_back();
      continue;
    }
    if (difference->with_miss) *difference = PairedDifference(*difference).with_miss(kMiss / factors[next]);
    result.push_back(corrected[next++]);
  }
  return result;
}

PairedDifference difference_over_examples(const Mistakes& first, const Mistakes& second) {
  require(!first.empty() && !second.empty() && first[0].size() == second[0].size() && first[0].size() >= 2,
          "difference_over_examples: a run each, two examples, as many everywhere");
  if (first.size() == 1 && second.size() == 1) return of_one_run_each(changes_of(first[0], second[0]), kMiss);
  std::vector<double> differences = shares_of(second);
  const std::vector<double> before = shares_of(first);
  for (std::size_t n = 0; n < before.size(); ++n) differences[n] -= before[n];
  const auto is_none = [](double difference) { return std::abs(difference) <= kRounding; };
  if (std::all_of(differences.begin(), differences.end(), is_none))
    return of_one_run_each({.num_examples = differences.size()}, kMiss);
  const Statistics statistics = statistics_of(differences);
  return difference_with_error(statistics.mean, error_over_examples(statistics.sd, differences.size()));
}

PairedDifference difference_over_seeds(std::span<const double> first, std::span<const double> second) {
  require(first.size() == second.size() && first.size() >= 2, "difference_over_seeds: two each");
  std::vector<double> differences(first.size());
  std::transform(second.begin(), second.end(), first.begin(), differences.begin(), std::minus<>());
  const Statistics statistics = statistics_of(differences);
  // Equal differences of a few seeds, which are multiples of one example, may be chance.
  const double sd = differ_alike(first, second) ? 0 : statistics.sd;
  return difference_with_error(statistics.mean, error_over_seeds(sd, differences.size()));
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
  return difference_with_error(table.mean(), table.error());
}

PairedDifference within_errors(PairedDifference difference) {
  if (difference.interval)
    difference.interval = {std::max(-1.0, difference.interval->low),
                           std::min(1.0, difference.interval->high)};
  if (difference.visible && *difference.visible > 1) difference.visible.reset();
  if (difference.with_miss)
    difference.with_miss = [with_miss = std::move(difference.with_miss)](double miss) {
      return within_errors(with_miss(miss));
    };
  return difference;
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
