// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/scan/criterion.hpp"

namespace mash {

// The edge of AdaBoost.MH's vote vectors (Schapire & Singer 1999), which is 1 - 2 x the weighted Hamming
// error: with signed weights, the sum over classes of |above - below|. A class is voted for above the cut and
// against below it, or the other way round: the votes are +1 and -1. Rows: K signed weights.
class HammingCriterion final : public Criterion {
 public:
  DoubleCut best_cut(const CodeSums& sums) const override;
  DoubleCut best_cut_of_values(const SortedColumn& column, std::span<const double> rows,
                               std::span<const double> totals) const override;
  CutVotes votes(const CodeSums& sums, std::uint32_t cut) const override;
  bool has_integer_kernel() const override { return true; }
};

// It has no state: one is enough.
const Criterion& hamming_criterion();

}  // namespace mash
