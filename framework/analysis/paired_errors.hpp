// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "framework/base/mean_error.hpp"

// How the errors of two classifiers differ that were asked about the same examples. A difference is that of
// the second less that of the first, in the unit of the numbers.
namespace mash {

struct PairedDifference {
  double mean = 0;
  std::optional<double> p_value;     // two-sided, of no difference; nothing: nothing is known of the spread
  std::optional<Interval> interval;  // leaves out 0 where p is below the probability of a miss; likewise
  // A true difference of this size would be told from none in four of five comparisons like this one (a test
  // with a power of 80 %); likewise, and nothing where no possible difference is as large.
  std::optional<double> visible;
  std::optional<MeanError> error = {};  // of the mean; nothing of one run each
  // The same with another probability of a miss than 5 %, which a correction for several comparisons asks
  // for; likewise.
  std::function<PairedDifference(double miss)> with_miss = {};
};

// Nothing but the mean where the error is 0; then p is 1 where the mean is 0 too.
PairedDifference difference_with_error(double mean, const MeanError& error, double miss = kMiss);

// p-values of differences that are looked at together, corrected after Holm. Their intervals become those
// that leave out 0 where the corrected p is below 5 %. One that has no p stays as it is.
std::vector<std::optional<double>> correct_together(std::span<PairedDifference* const> differences);

// Whether each example is classified wrongly (1) or not (0), run after run.
using Mistakes = std::vector<std::vector<std::uint8_t>>;

// Other examples of the kind, these trained models. One run each: McNemar's mid-p, and the interval of Bonett
// and Price (2012, "Adjusted Wald confidence interval for a difference of binomial proportions based on
// paired data"), with another end near 0 where it says other than p. Several runs: Student's t over the
// examples, each with the share of the runs that get it wrong; where no example differs, as of one run each.
// REQUIRES: a run each, two examples, as many everywhere.
PairedDifference difference_over_examples(const Mistakes& first, const Mistakes& second);

// Other seeds, these examples: the paired t-test. The i-th values belong together. REQUIRES: two each.
PairedDifference difference_over_seeds(std::span<const double> first, std::span<const double> second);

// Other seeds and other examples, both drawn at random. The i-th runs belong together. REQUIRES: two runs
// each, two examples.
PairedDifference difference_over_both(const Mistakes& first, const Mistakes& second);

// The same difference of two errors, which are from 0 to 1: no end of the interval lies beyond -1 or 1, where
// no truth can be, and there is no `visible` beyond 1. The interval holds the truth as often as before.
PairedDifference within_errors(PairedDifference difference);

// The share of the examples that a run gets wrong.
double error_of(std::span<const std::uint8_t> mistakes);

// The same mistakes, of some of the examples only.
Mistakes mistakes_on(const Mistakes& mistakes, std::span<const std::size_t> examples);

}  // namespace mash
