// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mash {

struct Statistics {
  double mean = 0;
  double sd = 0;  // of the sample; 0 for one value
};

// All zero where there are no values.
Statistics statistics_of(std::span<const double> values);

// The middle one in order; of an even number the upper of the two in the middle. 0 where there are none.
double median(std::span<const double> values);

// A mean over runs with half the width of its 95 % confidence interval, where there are several runs.
struct Estimate {
  double mean = 0;
  std::optional<double> half_width;
};

// The interval of a mean of `n` runs with sample standard deviation `sd` (Student's t); none for fewer than
// two.
Estimate estimate(double mean, double sd, std::int64_t n);
// The same of the values themselves. REQUIRES: at least one.
Estimate estimate(std::span<const double> values);

// The probability that |t| of Student's distribution is at least this large. degrees >= 1: of freedom.
double student_p_value(double t, std::size_t degrees);

// Student's t of all degrees of freedom beyond which this probability lies to one side. Computed once, at a
// thousand of them; between two it is interpolated, to .0003 of the degrees or better up to a thousand.
class StudentTail {
 public:
  explicit StudentTail(double tail);  // REQUIRES: 0 < tail < .5

  // The degrees of freedom, from 1 to a million, of which it is this t.
  double degrees_of(double t) const;

 private:
  std::vector<double> degrees_, t_;  // degrees rise, t falls
};

// The 95 % confidence interval of a share of which `count` of `total` were counted, by the method of Clopper
// and Pearson (1934): it has the true share with at least 95 %, of any number. REQUIRES: count <= total,
// total
// >= 1.
struct ShareInterval {
  double low = 0, high = 1;
};
ShareInterval share_interval(std::uint64_t count, std::uint64_t total);

// Spearman's rank correlation, with mean ranks for ties; 0 where all values of one side are equal. REQUIRES:
// as many of a as of b, at least two.
double rank_correlation(std::span<const double> a, std::span<const double> b);

// The total variation distance of two distributions over the same bins: half the sum of the absolute
// differences of their shares. 0 for equal ones, 1 where they have no bin in common. REQUIRES: as many of a
// as of b.
double total_variation(std::span<const double> a, std::span<const double> b);

}  // namespace mash
