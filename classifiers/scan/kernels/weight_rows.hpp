// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <oneapi/tbb/cache_aligned_allocator.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace mash {

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

// Rows that are added up before anybody looks at the sums, alone or with the blocks that follow. `sum`: the
// largest, over the lanes, of the sums of |weight| of its rows.
struct RowBlock {
  std::uint32_t end = 0;  // begins where the block before ends
  std::int32_t sum = 0;

  friend bool operator==(const RowBlock&, const RowBlock&) = default;
};

// Weights that begin at a cache line. Rows then do not straddle lines, which makes adding them 1.5 times as
// fast.
template <class Weight>
using AlignedVector = std::vector<Weight, oneapi::tbb::cache_aligned_allocator<Weight>>;

// Rows of signed weights, and their sums by lane. Rows are added up in 16 bits, which moves half the memory
// of 32 bits, for as many blocks as are sure to fit. REQUIRES: the sum of |weight| over all rows is below
// 2^31, and the sum of each block is at most 32767.
template <class Weight>
struct WeightRows {
  const Weight* weights = nullptr;
  std::size_t num_rows = 0;
  Strips strips = Strips(1);
  const std::int32_t* totals = nullptr;  // of all lanes
  std::span<const RowBlock> blocks;      // the last one ends at num_rows
  // The largest, over the lanes, of the sums of |weight| of all rows, or more.
  std::int32_t magnitude = std::numeric_limits<std::int32_t>::max();
};

// A quarter of 16 bits: as many blocks as are sure to fit are added together, beside what those before
// brought.
inline constexpr std::int32_t kUsualBlockSum = 8191;

// Divides the rows [begin, end) into blocks that are as long as possible, and appends them. Their sums are at
// most kUsualBlockSum, except where one row has more by itself. The first block begins at `begin`.
template <class Weight>
void append_blocks(const Weight* weights, std::size_t num_rows, const Strips& strips, std::size_t begin,
                   std::size_t end, std::vector<RowBlock>& blocks);

}  // namespace mash
