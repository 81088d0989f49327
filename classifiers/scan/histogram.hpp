// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <oneapi/tbb/cache_aligned_allocator.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mash {

// The hot loop: it finds for each feature the best cut of its codes on signed integer weights. Sums are
// integers, so the result does not depend on the order of examples, on threads or on the instruction set.

// The layout of the weights of K classes in vectors. There are strips of 4, 8 or 16 lanes, and all rows of a
// strip follow each other. The sums of a strip so stay in the first-level cache for any K.
struct Strips {
  std::size_t num_lanes;  // of a strip; those beyond K are 0
  std::size_t num_strips;

  constexpr explicit Strips(std::size_t num_classes)
      : num_lanes(num_classes <= 4   ? 4
                  : num_classes <= 8 ? 8
                                     : 16),
        num_strips((num_classes + num_lanes - 1) / num_lanes) {}

  constexpr std::size_t num_all_lanes() const { return num_strips * num_lanes; }
  // The index at which a strip's part of a row begins, among num_rows rows.
  constexpr std::size_t at(std::size_t strip, std::size_t row, std::size_t num_rows) const {
    return (strip * num_rows + row) * num_lanes;
  }
};

// A cut: phi = +1 where code >= cut; cut 0 is the constant learner. sum: the edge in units of the weights'
// scale.
struct IntegerCut {
  std::uint32_t cut = 0;
  std::int64_t sum = 0;
};

inline constexpr std::int32_t kLargestBlockSum = 32767;

// Weights that begin at a cache line. Rows then do not straddle lines, which makes adding them 1.5 times as
// fast.
template <class Weight>
using AlignedVector = std::vector<Weight, oneapi::tbb::cache_aligned_allocator<Weight>>;

// Rows of signed weights, and their sums by lane. Rows are added up in 16 bits, one block of rows at a time,
// which moves half the memory of 32 bits. REQUIRES: the sum of |weight| over all rows is below 2^31, and in
// each block the sum of |weight| of each lane is at most kLargestBlockSum.
template <class Weight>
struct WeightRows {
  const Weight* weights = nullptr;
  std::size_t num_rows = 0;
  Strips strips = Strips(1);
  const std::int32_t* totals = nullptr;       // of all lanes
  std::span<const std::uint32_t> block_ends;  // increasing; the last one is num_rows
};

// Divides the rows [begin, end) into blocks that are as long as possible, and appends the end of each block.
// The first block begins at `begin`.
template <class Weight>
void append_block_ends(const Weight* weights, std::size_t num_rows, const Strips& strips, std::size_t begin,
                       std::size_t end, std::vector<std::uint32_t>& block_ends);

// One feature: its code in each of the rows. REQUIRES: no code is above num_cuts.
struct CodeColumn {
  const std::uint8_t* codes = nullptr;
  std::uint32_t num_cuts = 0;  // 1 ... num_cuts are possible cuts
  // The most frequent code, where it is frequent enough that it is faster to add all other rows and to
  // subtract; else kNoMode.
  std::uint32_t skip_code = kNoMode;

  static constexpr std::uint32_t kNoMode = 256;
};

// best[i] = the cut of columns[i] with the largest sum over l of |total_l - 2 below_l|. Among equal sums the
// lowest cut wins, the constant before all. Runs on the instruction set in use
// (framework/base/instruction_set.hpp).
void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int16_t>& rows, IntegerCut* best);
void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int8_t>& rows, IntegerCut* best);

// The same in plain loops: the reference.
template <class Weight>
IntegerCut best_cut_reference(const CodeColumn& column, const WeightRows<Weight>& rows);

}  // namespace mash
