// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <oneapi/tbb/cache_aligned_allocator.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// The hot loop: for each feature the best cut of its codes on integer signed weights. Sums are integers, so
// the result does not depend on the order of examples, on threads or on the instruction set.

// How the weights of K classes lie in vectors: in strips of 4, 8 or 16 lanes, all rows of a strip after each
// other, so that the sums of a strip stay in the first-level cache for any K.
struct Strips {
  std::size_t num_lanes;  // of a strip; those beyond K are 0
  std::size_t num_strips;

  constexpr explicit Strips(std::size_t num_classes)
      : num_lanes(num_classes <= 4   ? 4
                  : num_classes <= 8 ? 8
                                     : 16),
        num_strips((num_classes + num_lanes - 1) / num_lanes) {}

  constexpr std::size_t num_all_lanes() const { return num_strips * num_lanes; }
  // Where the part of a row in a strip begins, among num_rows rows.
  constexpr std::size_t at(std::size_t strip, std::size_t row, std::size_t num_rows) const {
    return (strip * num_rows + row) * num_lanes;
  }
};

// Where code >= cut, phi = +1; cut 0 is the constant learner. sum = the edge in units of the weights' scale.
struct IntegerCut {
  std::uint32_t cut = 0;
  std::int64_t sum = 0;
};

inline constexpr std::int32_t kLargestBlockSum = 32767;

// Whole rows lie in cache lines, which makes adding them half as fast again.
template <class Weight>
using AlignedVector = std::vector<Weight, oneapi::tbb::cache_aligned_allocator<Weight>>;

// Rows of signed weights, and their sums by lane. They are added up in 16 bits, a block of rows at a time:
// half the memory of 32 bits moves. REQUIRES: the sum of all |weights| of the rows is below 2^31, and in each
// block that of each lane at most kLargestBlockSum.
template <class Weight>
struct WeightRows {
  const Weight* weights = nullptr;
  std::size_t num_rows = 0;
  Strips strips = Strips(1);
  const std::int32_t* totals = nullptr;       // of all lanes
  std::span<const std::uint32_t> block_ends;  // increasing; the last one is num_rows
};

// Appends the ends of the longest blocks that divide the rows [begin, end), the first beginning there.
template <class Weight>
void append_block_ends(const Weight* weights, std::size_t num_rows, const Strips& strips, std::size_t begin,
                       std::size_t end, std::vector<std::uint32_t>& block_ends);

// One feature: its code in each of the rows. REQUIRES: no code is above num_cuts.
struct CodeColumn {
  const std::uint8_t* codes = nullptr;
  std::uint32_t num_cuts = 0;  // 1 ... num_cuts are possible cuts
  // The most frequent code, when it is so frequent that adding all others and subtracting is faster; else
  // kNoMode.
  std::uint32_t skip_code = kNoMode;

  static constexpr std::uint32_t kNoMode = 256;
};

// best[i] = the cut of columns[i] with the largest sum over l of |total_l - 2 below_l|; among equals the
// lowest, and the constant before all. On the widest instruction set of this CPU.
void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int16_t>& rows, IntegerCut* best);
void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int8_t>& rows, IntegerCut* best);

// The same in plain loops: the reference.
template <class Weight>
IntegerCut best_cut_reference(const CodeColumn& column, const WeightRows<Weight>& rows);

}  // namespace mash
