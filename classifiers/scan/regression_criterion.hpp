// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/scan/criterion.hpp"

namespace mash {

// The best stump of classical LogitBoost (Friedman, Hastie & Tibshirani 2000): it fits numbers z by weighted
// least squares. Rows: w z and w of an example, where |z| <= kMostResponse (working_response.hpp). Votes: one
// for each side of a cut, the mean of z there, sum(w z) / sum(w); 0 where nothing weighs. The cut with the
// smallest sum of w (z - vote)^2 has the largest sum of w vote^2. So the edge is
//
//   sqrt(sum(w vote^2) / sum(w)) / kMostResponse,
//
// the quadratic mean of the votes as a fraction of kMostResponse, in [0, 1].
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
