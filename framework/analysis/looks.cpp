// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/looks.hpp"

#include <algorithm>
#include <cmath>

#include "framework/base/require.hpp"

namespace mash {

const Look* next_look(std::span<const Look> looks, std::size_t num_seeds) {
  const auto later =
      std::ranges::find_if(looks, [&](const Look& look) { return look.num_seeds > num_seeds; });
  return later == looks.end() ? nullptr : &*later;
}

MeasuredGain as_measured(const GainAtLook& look, std::string_view finding) {
  return {look.gain,          look.error.standard_error(), look.interval.low,
          look.interval.high, look.look.num_seeds,         std::string(finding)};
}

GainAtLook gain_at(const Look& look, const PairedLosses& losses, double least_sd) {
  require(losses.num_seeds() == look.num_seeds, "gain_at: as many seeds as the look wants");
  const MeanError error = gain_error(losses, least_sd);
  return {look, losses.gain(), error, error.around(losses.gain(), look.alpha)};
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

bool is_narrow_enough(const GainAtLook& last, double half_width, std::size_t most_seeds) {
  if (last.interval.high - last.interval.low <= 2 * half_width) return true;
  const std::size_t wanted = seeds_to_reach(half_width, last.error, kLooks.back().alpha);
  return wanted == 0 || wanted > most_seeds;
}

std::size_t seeds_to_decide(const GainAtLook& last, double relevant) {
  // From either side: a gain this far above 0, a loss this far below it, or this far below what is relevant.
  return seeds_to_reach(std::max(std::abs(last.gain), relevant - last.gain), last.error, kLooks.back().alpha);
}

}  // namespace mash
