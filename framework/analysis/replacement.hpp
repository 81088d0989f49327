// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "framework/analysis/looks.hpp"
#include "framework/analysis/paired_losses.hpp"

namespace mash {

// Whether a newcomer could take the place of a part of a pool: both are offered beside the rest of the pool,
// with the same seeds, and what they gain is compared.

inline constexpr double kReplacingShare = .8;  // of the other's gain: enough to take its place

// The mean products of the tables of two gains' errors, which the mean squares of any difference of them
// follow from. one, other: what each leaves of the same losses before it. between: before, the losses that
// `other` leaves; after, those that `one` leaves. REQUIRES: the same seeds and examples in all of them, two
// of each at least.
MeanSquares mean_products(const PairedLosses& one, const PairedLosses& other, const PairedLosses& between);

// A newcomer and the family that it might replace, as a look saw them, beside the same pool.
struct ReplacementAtLook {
  GainAtLook own, replaced;  // REQUIRES: of the same look
  MeanSquares products;

  // The error of own - share * replaced.
  MeanError error_of_difference(double share) const;
  // How many times as much the newcomer gains, own / replaced, where more than 0 is surely gained by what it
  // might replace; else any ratio is possible, and there is no interval. Fieller's interval (Some problems in
  // interval estimation, JRSS B 16, 1954): the ratios r for which the interval of own - r * replaced holds 0.
  std::optional<Interval> ratio_interval() const;
  // REQUIRES: ratio_interval
  double ratio() const { return own.gain / replaced.gain; }

  bool operator==(const ReplacementAtLook&) const = default;
};

enum class ReplacementFinding { kCould, kCannotYet, kNothingToReplace, kUndecided };
std::string_view to_string(ReplacementFinding finding);  // "could replace", ...

// nothing to replace: what it might replace surely gains less than `relevant` by itself. could replace: all
// of the ratio's interval is at least kReplacingShare, and the other's gain is above `relevant`. cannot
// replace yet: all of it is below. Else undecided.
ReplacementFinding finding_of(const ReplacementAtLook& look, double relevant);

// About how many seeds it takes to find one of the first three, if the gains are what they seem; 0 where no
// number of seeds does.
std::size_t seeds_to_find(const ReplacementAtLook& last, double relevant);

}  // namespace mash
