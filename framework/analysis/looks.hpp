// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "framework/analysis/paired_losses.hpp"
#include "framework/base/measured_gain.hpp"

namespace mash {

// A test that may end early looks at its result several times; each look spends a share of the probability of
// being wrong (alpha), so that all of them together are wrong in at most 5 % of the tests of nothing.
struct Look {
  std::size_t num_seeds = 0;
  double alpha = 0;
  bool operator==(const Look&) const = default;
};
inline constexpr std::array kLooks{Look{4, .002}, Look{8, .008}, Look{16, .01},
                                   Look{32, .01}, Look{64, .01}, Look{128, .01}};

// The first look after num_seeds seeds; null after the last.
const Look* next_look(std::span<const Look> looks, std::size_t num_seeds);
inline const Look* next_look(std::size_t num_seeds) { return next_look(kLooks, num_seeds); }

// The only look of a measurement for a board, where all entries have the same seeds: what a board shows is
// measured with this number of seeds, no matter what they say, and then with twice as many up to
// kMostBoardSeeds. Each of these measurements, five at most from 16 seeds on, spends a fifth of 5 %.
inline constexpr std::size_t kMostBoardSeeds = 256;
constexpr Look board_look(std::size_t num_seeds) { return {num_seeds, .01}; }

// A gain as a look saw it, in per cent of the log-loss.
struct GainAtLook {
  Look look;
  double gain = 0;  // the mean over seeds
  MeanError error;
  Interval interval;  // that misses with the look's alpha

  bool operator==(const GainAtLook&) const = default;
};
// As it is recorded. finding: the word for it.
MeasuredGain as_measured(const GainAtLook& look, std::string_view finding);
// least_sd: as of gain_error. REQUIRES: as many seeds as the look wants.
GainAtLook gain_at(const Look& look, const PairedLosses& losses, double least_sd);

enum class GainDecision { kAdds, kHarms, kNothing, kUndecided };

// adds: all of the interval is above 0. harms: all of it is below 0, which is asked before nothing: it ends
// below `relevant`, the smallest gain that one would want to know of.
GainDecision decision_of(const Interval& interval, double relevant);

// Whether more seeds are of no use: it is decided, and of what adds nothing half the interval is at most
// half_width.
bool is_settled(const GainAtLook& look, double relevant, double half_width);

// Whether half the interval is at most half_width, or would not be after most_seeds either, as far as the
// last look tells.
bool is_narrow_enough(const GainAtLook& last, double half_width, std::size_t most_seeds);

// About how many seeds it takes to decide, if the gain is what it seems: until the interval leaves out 0, or
// ends below `relevant`. 0 as of seeds_to_reach.
std::size_t seeds_to_decide(const GainAtLook& last, double relevant);

}  // namespace mash
