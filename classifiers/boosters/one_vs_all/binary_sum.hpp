// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classifiers/boosters/one_vs_all/held_codes.hpp"
#include "classifiers/model/strong_classifier.hpp"

namespace mash {

// F(x), a sum of hypotheses with one vote each, for any training examples at any time. The codes that the
// hypotheses need are looked up, or computed, for these examples alone.
class BinarySum {
 public:
  // codes: outlive it.
  explicit BinarySum(const HeldCodes& codes) : codes_(&codes) {}

  std::size_t size() const { return terms_.size(); }
  // REQUIRES: votes of one class; its thresholds are the store's.
  void add(const Hypothesis& hypothesis);

  // F of each of these training examples (increasing, held by the codes). Hypotheses are summed in the order
  // in which they were added, so the result has the same bits as sums that are kept and added to.
  std::vector<double> at(std::span<const std::uint32_t> examples) const;

 private:
  struct CodeCut {
    std::uint32_t feature = 0;
    std::uint8_t first_code = 0;  // 0: it always holds
  };
  struct Term {
    Hypothesis hypothesis;
    std::vector<double> values;  // of each cell: alpha times its vote
    std::vector<CodeCut> cuts;
  };

  const HeldCodes* codes_;
  std::vector<Term> terms_;
  std::vector<std::uint32_t> asked_;  // features, increasing
};

}  // namespace mash
