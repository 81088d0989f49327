// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/scan/criterion.hpp"

namespace mash {

// The stump that fits numbers z best by weighted least squares, as classical LogitBoost wants it (Friedman,
// Hastie & Tibshirani 2000). Rows: w z and w of an example, |z| <= kMostResponse (working_response.hpp).
// Votes: one for each side of a cut, the mean of z there, sum(w z) / sum(w); 0 where nothing weighs. The cut
// that leaves the smallest sum of w (z - vote)^2 has the largest sum of w vote^2, so that the edge is
//
//   sqrt(sum(w vote^2) / sum(w)) / kMostResponse,
//
// which is in [0, 1]: how large the votes are in the (quadratic) mean.
class RegressionCriterion final : public Criterion {
 public:
  DoubleCut best_cut(const CodeSums& sums) const override;
  DoubleCut best_cut_of_values(const SortedColumn& column, std::span<const double> rows,
                               std::span<const double> totals) const override;
  CutVotes votes(const CodeSums& sums, std::uint32_t cut) const override;
  bool has_integer_kernel() const override { return false; }
};

// It has no state: one is enough.
const Criterion& regression_criterion();

}  // namespace mash
