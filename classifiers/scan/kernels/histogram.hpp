// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "classifiers/scan/kernels/weight_rows.hpp"

namespace mash {

// The hot loop: it finds for each feature the best cut of its codes on signed integer weights. Sums are
// integers, so the result does not depend on the order of examples, on threads or on the instruction set.

// A cut: phi = +1 where code >= cut; cut 0 is the constant learner. sum: the edge in units of the weights'
// scale.
struct IntegerCut {
  std::uint32_t cut = 0;
  std::int64_t sum = 0;
};

inline constexpr std::size_t kNumCodes = 256;  // of a feature, at most

// One feature: its code in each of the rows. REQUIRES: no code is above num_cuts.
struct CodeColumn {
  const std::uint8_t* codes = nullptr;
  std::uint32_t num_cuts = 0;  // 1 ... num_cuts are possible cuts
  // The most frequent code, where it is frequent enough that it is faster to add all other rows and to
  // subtract; else kNoMode.
  std::uint32_t skip_code = kNoMode;

  static constexpr std::uint32_t kNoMode = kNumCodes;
};

// best[i] = the cut of columns[i] with the largest sum over l of |total_l - 2 below_l|. Among equal sums the
// lowest cut wins, the constant before all. Runs on the instruction set in use
// (framework/base/instruction_set.hpp), with as many dense features to a pass over the weights
// (pass_width.hpp), which changes no result.
void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int16_t>& rows,
               std::size_t pass_width, IntegerCut* best);
void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int8_t>& rows,
               std::size_t pass_width, IntegerCut* best);

// The same in plain loops: the reference.
template <class Weight>
IntegerCut best_cut_reference(const CodeColumn& column, const WeightRows<Weight>& rows);

}  // namespace mash
