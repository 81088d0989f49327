// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/analysis/looks.hpp"

// How the errors of two classifiers differ that were asked about the same examples. A difference is that of
// the second less that of the first, in the unit of the numbers.
namespace mash {

struct PairedDifference {
  double mean = 0;
  std::optional<Interval> interval;  // of 95 %; nothing where nothing is known of the spread
  std::optional<double> p_value;     // two-sided, of no difference; likewise
  // A true difference of this size would be told from none in four of five comparisons like this one (a test
  // at 5 % with a power of 80 %); likewise.
  std::optional<double> visible;
};

// From a standard error with these degrees of freedom (Student's t). Nothing but the mean where the error is
// 0; then p is 1 where the mean is 0 too.
PairedDifference difference_with_error(double mean, double standard_error, double degrees);

// Whether each example is classified wrongly (1) or not (0), run after run.
using Mistakes = std::vector<std::vector<std::uint8_t>>;

// Other examples of the kind, these trained models. One run each: McNemar's mid-p and the interval of Bonett
// and Price (2012, "Adjusted Wald confidence interval for a difference of binomial proportions based on
// paired data"). Several runs: Student's t over the examples, each with the share of the runs that get it
// wrong; where no example differs, as of one run each. REQUIRES: a run each, two examples, as many
// everywhere.
PairedDifference difference_over_examples(const Mistakes& first, const Mistakes& second);

// Other seeds, these examples: the paired t-test. The i-th values belong together. REQUIRES: two each.
PairedDifference difference_over_seeds(std::span<const double> first, std::span<const double> second);

// Other seeds and other examples, both drawn at random: the two-way table of differences without repetition.
// The degrees of freedom are those of Satterthwaite (1946, "An approximate distribution of estimates of
// variance components"). The i-th runs belong together. REQUIRES: two runs each, two examples.
PairedDifference difference_over_both(const Mistakes& first, const Mistakes& second);

// The share of the examples that a run gets wrong.
double error_of(std::span<const std::uint8_t> mistakes);

// The same mistakes, of some of the examples only.
Mistakes mistakes_on(const Mistakes& mistakes, std::span<const std::size_t> examples);

}  // namespace mash
