// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/replacement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "framework/base/require.hpp"

namespace mash {
namespace {

// Mean products from mean squares: xy = (x^2 + y^2 - (x - y)^2) / 2.
MeanSquares mean_products(const MeanSquares& one, const MeanSquares& other, const MeanSquares& difference) {
  return {(one.seeds + other.seeds - difference.seeds) / 2,
          (one.examples + other.examples - difference.examples) / 2,
          (one.rest + other.rest - difference.rest) / 2};
}

double covariance(std::span<const double> one, std::span<const double> other) {
  const auto count = double(one.size());
  const double mean_one = std::accumulate(one.begin(), one.end(), 0.0) / count,
               mean_other = std::accumulate(other.begin(), other.end(), 0.0) / count;
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) sum += (one[i] - mean_one) * (other[i] - mean_other);
  return sum / (count - 1);
}

}  // namespace

GainCovariance gain_covariance(const PairedLosses& one, const PairedLosses& other,
                               const PairedDifferences& between) {
  require(one.num_seeds() == other.num_seeds() && one.num_seeds() == between.num_seeds(),
          "gain_covariance: the same seeds");
  const auto num_seeds = double(one.num_seeds());
  const MeanSquares products = mean_products(one.differences().mean_squares(),
                                             other.differences().mean_squares(), between.mean_squares());
  const double per_cent = 100 / one.mean_before();
  const double of_examples =
      per_cent * per_cent * (products.examples - products.rest) / (num_seeds * double(one.num_examples()));
  // The variances are cut off at 0, and estimates: beyond this, a sum of the gains had less than none.
  const double most = std::sqrt(gain_variance(one, 0).of_examples * gain_variance(other, 0).of_examples);
  return {covariance(one.gains(), other.gains()) / num_seeds, std::clamp(of_examples, -most, most)};
}

GainVariance ReplacementAtLook::variance_of_difference(double share) const {
  const auto of = [share](double of_own, double of_replaced, double of_both) {
    return std::max(0.0, of_own - 2 * share * of_both + share * share * of_replaced);
  };
  return {of(own.variance.of_seeds, replaced.variance.of_seeds, covariance.of_seeds),
          of(own.variance.of_examples, replaced.variance.of_examples, covariance.of_examples)};
}

std::optional<Interval> ReplacementAtLook::ratio_interval() const {
  if (!(replaced.interval.low > 0)) return std::nullopt;
  const double factor = std::pow(interval_factor(own.look), 2);
  const auto squared_error = [](const GainVariance& variance) {
    return variance.of_seeds + variance.of_examples;
  };
  // (own - r replaced)^2 <= factor (V_own - 2 r C + r^2 V_replaced) is a r^2 - 2 b r + c <= 0.
  const double a = replaced.gain * replaced.gain - factor * squared_error(replaced.variance),
               b = own.gain * replaced.gain - factor * (covariance.of_seeds + covariance.of_examples),
               c = own.gain * own.gain - factor * squared_error(own.variance);
  const double root = std::sqrt(std::max(0.0, b * b - a * c));
  return Interval{(b - root) / a, (b + root) / a};
}

std::string_view to_string(ReplacementFinding finding) {
  constexpr std::array<std::string_view, 4> kNames{"could replace", "cannot replace yet",
                                                   "nothing to replace", "undecided"};
  return kNames[std::size_t(finding)];
}

ReplacementFinding finding_of(const ReplacementAtLook& look, double relevant) {
  if (look.replaced.interval.high < relevant) return ReplacementFinding::kNothingToReplace;
  const auto ratio = look.ratio_interval();
  if (ratio && ratio->high < kReplacingShare) return ReplacementFinding::kCannotYet;
  if (ratio && ratio->low >= kReplacingShare && look.replaced.gain > relevant)
    return ReplacementFinding::kCould;
  return ReplacementFinding::kUndecided;
}

std::size_t seeds_to_find(const ReplacementAtLook& last, double relevant) {
  const std::size_t num_seeds = last.own.look.num_seeds;
  const double gain = last.replaced.gain;
  const std::size_t of_replaced =
      seeds_to_reach(gain <= relevant ? relevant - gain : gain, last.replaced.variance, num_seeds);
  if (gain <= relevant || of_replaced == 0) return of_replaced;
  const std::size_t of_both = seeds_to_reach(std::abs(last.own.gain - kReplacingShare * gain),
                                             last.variance_of_difference(kReplacingShare), num_seeds);
  return of_both == 0 ? 0 : std::max(of_replaced, of_both);
}

}  // namespace mash
