// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/looks.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "framework/base/require.hpp"

namespace mash {

const Look* next_look(std::size_t num_seeds) {
  const auto later = std::find_if(kLooks.begin(), kLooks.end(),
                                  [&](const Look& look) { return look.num_seeds > num_seeds; });
  return later == kLooks.end() ? nullptr : &*later;
}

double interval_factor(const Look& look) {
  const boost::math::students_t distribution(double(look.num_seeds - 1));
  return boost::math::quantile(distribution, 1 - look.alpha / 2);
}

MeasuredGain as_measured(const GainAtLook& look, std::string_view finding) {
  return {look.gain,           look.variance.standard_error(),
          look.interval.low,   look.interval.high,
          look.look.num_seeds, std::string(finding)};
}

GainAtLook gain_at(const Look& look, const PairedLosses& losses, double least_sd) {
  require(losses.num_seeds() == look.num_seeds, "gain_at: as many seeds as the look wants");
  const GainVariance variance = gain_variance(losses, least_sd);
  const double gain = losses.gain(), reach = interval_factor(look) * variance.standard_error();
  return {look, gain, variance, {gain - reach, gain + reach}};
}

GainDecision decision_of(const Interval& interval, double relevant) {
  if (interval.low > 0) return GainDecision::kAdds;
  if (interval.high < 0) return GainDecision::kHarms;
  return interval.high < relevant ? GainDecision::kNothing : GainDecision::kUndecided;
}

bool is_settled(const GainAtLook& look, double relevant, double half_width) {
  switch (decision_of(look.interval, relevant)) {
    case GainDecision::kAdds:
    case GainDecision::kHarms: return true;
    case GainDecision::kNothing: return look.interval.high - look.interval.low <= 2 * half_width;
    case GainDecision::kUndecided: break;
  }
  return false;
}

std::size_t seeds_to_reach(double distance, const GainVariance& variance, std::size_t num_seeds) {
  const double wanted = std::pow(distance / interval_factor(kLooks.back()), 2) - variance.of_examples;
  if (!(wanted > 0)) return 0;
  const double of_one_seed = variance.of_seeds * double(num_seeds);
  return std::max<std::size_t>(2, std::size_t(std::min(1e9, std::ceil(of_one_seed / wanted))));
}

bool is_narrow_enough(const GainAtLook& last, double half_width, std::size_t most_seeds) {
  if (last.interval.high - last.interval.low <= 2 * half_width) return true;
  const std::size_t wanted = seeds_to_reach(half_width, last.variance, last.look.num_seeds);
  return wanted == 0 || wanted > most_seeds;
}

std::size_t seeds_to_decide(const GainAtLook& last, double relevant) {
  // From either side: a gain this far above 0, a loss this far below it, or this far below what is relevant.
  return seeds_to_reach(std::max(std::abs(last.gain), relevant - last.gain), last.variance,
                        last.look.num_seeds);
}

}  // namespace mash
