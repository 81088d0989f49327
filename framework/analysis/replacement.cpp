// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/replacement.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "framework/base/require.hpp"

namespace mash {
namespace {

constexpr int kHalvings = 60;  // of a step: to the last digits

// a x + b y + c z of the mean squares of three tables.
MeanSquares combined(double a, const MeanSquares& x, double b, const MeanSquares& y, double c,
                     const MeanSquares& z) {
  return {a * x.seeds + b * y.seeds + c * z.seeds, a * x.examples + b * y.examples + c * z.examples,
          a * x.rest + b * y.rest + c * z.rest};
}

}  // namespace

// xy = (x^2 + y^2 - (x - y)^2) / 2, where the losses before both fall out of x - y.
MeanSquares mean_products(const PairedLosses& one, const PairedLosses& other, const PairedLosses& between) {
  require(one.num_seeds() == other.num_seeds() && one.num_seeds() == between.num_seeds(),
          "mean_products: the same seeds");
  return combined(.5, one.error().squares, .5, other.error().squares, -.5, between.error().squares);
}

MeanError ReplacementAtLook::error_of_difference(double share) const {
  MeanError error = own.error;
  error.squares = combined(1, own.error.squares, -2 * share, products, share * share, replaced.error.squares);
  // Rounding may leave a little less than nothing.
  for (double* square : {&error.squares.seeds, &error.squares.examples, &error.squares.rest})
    *square = std::max(0.0, *square);
  return error;
}

std::optional<Interval> ReplacementAtLook::ratio_interval() const {
  if (!(replaced.interval.low > 0)) return std::nullopt;
  // The farthest ratio in one direction that the difference still admits.
  const auto end = [&](double direction) {
    const auto is_admitted = [&](double ratio) {
      return std::abs(own.gain - ratio * replaced.gain) <= error_of_difference(ratio).reach(own.look.alpha);
    };
    double inside = 0, outside = direction;  // steps from the ratio
    while (is_admitted(ratio() + outside)) outside *= 2;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (inside + outside) / 2;
      (is_admitted(ratio() + middle) ? inside : outside) = middle;
    }
    return ratio() + inside;
  };
  return Interval{end(-1), end(1)};
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
  const double gain = last.replaced.gain, alpha = kLooks.back().alpha;
  const std::size_t of_replaced =
      seeds_to_reach(gain <= relevant ? relevant - gain : gain, last.replaced.error, alpha);
  if (gain <= relevant || of_replaced == 0) return of_replaced;
  const std::size_t of_both = seeds_to_reach(std::abs(last.own.gain - kReplacingShare * gain),
                                             last.error_of_difference(kReplacingShare), alpha);
  return of_both == 0 ? 0 : std::max(of_replaced, of_both);
}

}  // namespace mash
