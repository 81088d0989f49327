// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace mash {

// Two methods on the same seeds.
struct PairedTest {
  double mean_difference = 0;  // of a - b
  // The p of the two-sided t-test of no difference; none where all pairs differ by the same amount
  // (differ_alike) other than 0, which the test would call certain.
  std::optional<double> p_value;
  std::size_t num_less = 0;  // pairs with a < b
};
// REQUIRES: as many of a as of b, at least two.
PairedTest paired_test(std::span<const double> a, std::span<const double> b);

// Whether all differences are the same: of a few seeds, whose errors are multiples of one example, that may
// be chance. REQUIRES: as many of a as of b, at least one.
bool differ_alike(std::span<const double> a, std::span<const double> b);

// McNemar's test of two classifiers on the same examples, from those that only one of them gets right.
struct McNemar {
  double p_exact = 1;  // two-sided binomial: min(1, 2 P(X <= min(fixed, broken))), X ~ B(fixed + broken, 1/2)
  double p_mid = 1;    // the same less P(X = min): not conservative (Fagerland, Lydersen & Laake 2013)
};
McNemar mcnemar(std::size_t num_fixed, std::size_t num_broken);

// p-values for several looks at once: the i-th smallest of m times m - i + 1, at least those before it, at
// most 1 (Holm 1979, "A simple sequentially rejective multiple test procedure").
std::vector<double> holm_corrected(std::span<const double> p_values);
// The number that each of them is multiplied by, 1 at least: an interval that misses with the probability
// .05 / factor leaves out 0 exactly where the corrected p is below .05.
std::vector<double> holm_factors(std::span<const double> p_values);

}  // namespace mash
