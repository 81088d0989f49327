// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/scan/criterion.hpp"

namespace mash {

// The best stump of SAMME (Zhu et al. 2009): it gives each side of a cut the side's heaviest class. Rows: the
// weight of the example at its own class, 0 at the others. The edge is 1 - err K / (K - 1): 0 at chance, 1
// without a mistake. Votes: 1 for the class of the side (the first of equals), 0 for the others.
class PluralityCriterion final : public Criterion {
 public:
  DoubleCut best_cut(const CodeSums& sums) const override;
  DoubleCut best_cut_of_values(const SortedColumn& column, std::span<const double> rows,
                               std::span<const double> totals) const override;
  CutVotes votes(const CodeSums& sums, std::uint32_t cut) const override;
  bool has_integer_kernel() const override { return false; }
};

// It has no state: one is enough.
const Criterion& plurality_criterion();

}  // namespace mash
