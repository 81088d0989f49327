// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <memory>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/scan/histogram.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#ifndef MASH_SCAN_BATCH  // this file is read once for each instruction set
#define MASH_SCAN_BATCH
namespace mash {
namespace {

constexpr std::size_t kBins = 256;
constexpr std::size_t kMaxLanes = 16;
// Features that share one pass over the weights; their 16-bit sums fit into the first-level cache.
constexpr std::size_t kGroup = 2;
// Features whose sums stay in the second-level cache together: 256 KiB in 32 bits.
constexpr std::size_t kBatch = 16;

// Working memory of a batch, beside the codes and the weights. `block` and `sums` are zero whenever a strip
// begins: widen and add_magnitudes, which read them last, leave zeros. `cuts` is written before it is read.
struct alignas(64) Scratch {
  std::int16_t block[kGroup * kBins * kMaxLanes];  // of a group, over one block of rows
  std::int32_t sums[kBatch * kBins * kMaxLanes];   // of each feature, over all
  std::int32_t cuts[kBatch * kBins];               // sums of each feature's cuts, over all strips so far
};

}  // namespace
}  // namespace mash
#endif

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <std::size_t kLanes>
using D16 = hn::CappedTag<std::int16_t, kLanes>;
template <std::size_t kLanes>
using D32 = hn::CappedTag<std::int32_t, kLanes>;

// Integers of the vector's type or a narrower one.
template <class D, class Integer>
hn::Vec<D> load(D d, const Integer* from) {
  if constexpr (sizeof(Integer) == sizeof(hn::TFromD<D>))
    return hn::LoadU(d, from);
  else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Integer, D>(), from));
}

// A strip of rows.
struct Strip {
  const std::int32_t* totals;  // of its lanes
  bool is_first, is_last;
};
template <class Weight>
struct StripOf : Strip {
  const Weight* weights;  // num_rows of kLanes integers
  std::size_t num_rows;
};

// Adds the rows [begin, end) of a group of features; each row's weights are read once.
template <std::size_t kLanes, std::size_t kFeatures, class Weight>
HWY_NOINLINE void accumulate(const CodeColumn* columns, const StripOf<Weight>& strip, std::size_t begin,
                             std::size_t end, std::int16_t* histograms) {
  const D16<kLanes> d;
  const std::uint8_t* codes[kFeatures];
  for (std::size_t g = 0; g < kFeatures; ++g) codes[g] = columns[g].codes;
  const Weight* HWY_RESTRICT row = strip.weights + begin * kLanes;
  for (std::size_t r = begin; r < end; ++r, row += kLanes)
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      const auto weights = load(d, row + lane);
      for (std::size_t g = 0; g < kFeatures; ++g) {
        std::int16_t* bin = histograms + (g * kBins + codes[g][r]) * kLanes + lane;
        hn::StoreU(hn::Add(hn::LoadU(d, bin), weights), d, bin);
      }
    }
}

// Adds only the rows whose code is not column.skip_code: repeated additions to one bin would wait for each
// other.
template <std::size_t kLanes, class Weight, class Sum>
void accumulate_others(const CodeColumn& column, const StripOf<Weight>& strip, Sum* HWY_RESTRICT histogram) {
  const hn::ScalableTag<std::uint8_t> d8;
  const hn::CappedTag<Sum, kLanes> d;
  const std::size_t width = hn::Lanes(d8);
  const auto skip = hn::Set(d8, std::uint8_t(column.skip_code));
  const auto add = [&](std::size_t r) HWY_ATTR {
    Sum* bin = histogram + column.codes[r] * kLanes;
    const Weight* HWY_RESTRICT row = strip.weights + r * kLanes;
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d))
      hn::StoreU(hn::Add(hn::LoadU(d, bin + lane), load(d, row + lane)), d, bin + lane);
  };
  std::size_t r = 0;
  for (; r + width <= strip.num_rows; r += width) {
    std::uint64_t others = 0;
    hn::StoreMaskBits(d8, hn::Ne(hn::LoadU(d8, column.codes + r), skip),
                      reinterpret_cast<std::uint8_t*>(&others));
    for (; others != 0; others &= others - 1) add(r + std::size_t(std::countr_zero(others)));
  }
  for (; r < strip.num_rows; ++r)
    if (column.codes[r] != column.skip_code) add(r);
}

// Moves the sums of a block to those of all blocks: zeros are left.
template <std::size_t kLanes>
void widen(std::size_t size, std::int16_t* HWY_RESTRICT block, std::int32_t* HWY_RESTRICT sums) {
  const D32<kLanes> d;
  const hn::Rebind<std::int16_t, D32<kLanes>> narrow;
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), load(d, block + i)), d, sums + i);
    hn::StoreU(hn::Zero(narrow), narrow, block + i);
  }
}

// Fills the skipped bin from the totals.
template <std::size_t kLanes, class Sum>
void complete(const CodeColumn& column, const std::int32_t* totals, Sum* histogram) {
  Sum* skipped = histogram + column.skip_code * kLanes;
  for (std::size_t lane = 0; lane < kLanes; ++lane) skipped[lane] = Sum(totals[lane]);
  for (std::size_t bin = 0; bin <= column.num_cuts; ++bin)
    if (bin != column.skip_code)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        skipped[lane] = Sum(skipped[lane] - histogram[bin * kLanes + lane]);
}

// Adds the upper to the lower half of a vector until at most four lanes are left.
template <class D>
auto folded([[maybe_unused]] D d, hn::Vec<D> v) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) > 4) {
    const hn::Half<D> half;
    return folded(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else
#endif
    return v;
}

// Cuts whose lanes are added up together: as many as make a square of a block of 32-bit lanes.
constexpr std::size_t kCutsAtOnce = 4;
static_assert(kBins % kCutsAtOnce == 0);

template <class D>
struct FourVectors {
  hn::Vec<D> of[kCutsAtOnce];
};

// Writes the sum over the lanes of each vector to `sums` where the strip is the first, else adds it.
template <class D>
HWY_INLINE void add_over_lanes([[maybe_unused]] D d, const FourVectors<D>& v, bool is_first,
                               std::int32_t* HWY_RESTRICT sums) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < kCutsAtOnce; ++i) sums[i] = (is_first ? 0 : sums[i]) + hn::GetLane(v.of[i]);
#else
  // In each block of four lanes: a0 + a2, b0 + b2, a1 + a3, b1 + b3; then the sums of a, b, c, d.
  const hn::Repartition<std::int64_t, D> wide;
  const auto sum_of_pairs = [d](auto a, auto b) HWY_ATTR {
    return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  };
  const auto ab = hn::BitCast(wide, sum_of_pairs(v.of[0], v.of[1]));
  const auto cd = hn::BitCast(wide, sum_of_pairs(v.of[2], v.of[3]));
  const auto abcd = hn::Add(hn::BitCast(d, hn::InterleaveLower(wide, ab, cd)),
                            hn::BitCast(d, hn::InterleaveUpper(wide, ab, cd)));
  const D32<kCutsAtOnce> four;
  const auto total = folded(d, abcd);
  hn::StoreU(is_first ? total : hn::Add(total, hn::LoadU(four, sums)), four, sums);
#endif
}

// Sums of 16-bit magnitudes in 32 bits: of pairs of lanes, where a vector has at least eight.
template <std::size_t kLanes>
class Magnitudes {
 public:
  static constexpr bool kPairs = hn::MaxLanes(D16<kLanes>()) >= 8;
  using D =
      std::conditional_t<kPairs, hn::RepartitionToWide<D16<kLanes>>, hn::Rebind<std::int32_t, D16<kLanes>>>;

  Magnitudes() : even_(hn::Zero(D())), odd_(hn::Zero(D())) {}

  void add(hn::Vec<D16<kLanes>> magnitudes) {
    if constexpr (kPairs)
      even_ = hn::ReorderWidenMulAccumulate(D(), magnitudes, hn::Set(D16<kLanes>(), 1), even_, odd_);
    else
      even_ = hn::Add(even_, hn::PromoteTo(D(), magnitudes));
  }
  hn::Vec<D> sum() const { return hn::Add(even_, odd_); }

 private:
  hn::Vec<D> even_, odd_;
};

// The largest of the sums of cuts 0 ... num_cuts, the first among equals. Overwrites what follows them in
// `sums`, which has kBins places.
inline IntegerCut first_largest(std::int32_t* HWY_RESTRICT sums, std::uint32_t num_cuts) {
  const hn::CappedTag<std::int32_t, 16> d;
  const std::size_t size = (num_cuts / hn::Lanes(d) + 1) * hn::Lanes(d);
  std::fill(sums + num_cuts + 1, sums + size, 0);  // no sum is below 0
  auto largest = hn::Zero(d);
  for (std::size_t cut = 0; cut < size; cut += hn::Lanes(d))
    largest = hn::Max(largest, hn::LoadU(d, sums + cut));
  largest = hn::MaxOfLanes(d, largest);
  for (std::size_t cut = 0;; cut += hn::Lanes(d)) {
    const std::intptr_t first = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, sums + cut), largest));
    if (first >= 0) return {std::uint32_t(cut + std::size_t(first)), hn::GetLane(largest)};
  }
}

// The magnitudes of each cut's sums over the lanes of a strip (those of the codes from the cut on, less those
// below), added up over the lanes, walking from low to high. Goes on to a multiple of kCutsAtOnce: those sums
// are of no cut. Leaves zeros in the histogram. Not inlined: the loops of accumulate then keep all in
// registers, which was worth a fifth of the time.
template <std::size_t kLanes>
HWY_NOINLINE void add_magnitudes(const CodeColumn& column, const Strip& strip,
                                 std::int32_t* HWY_RESTRICT histogram, std::int32_t* HWY_RESTRICT sums) {
  const D32<kLanes> d;
  alignas(64) std::int32_t differences[kLanes];
  std::copy_n(strip.totals, kLanes, differences);
  for (std::uint32_t cut = 0; cut <= column.num_cuts; cut += kCutsAtOnce) {
    FourVectors<D32<kLanes>> magnitudes;
    for (std::size_t i = 0; i < kCutsAtOnce; ++i) {
      magnitudes.of[i] = hn::Zero(d);
      for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d), histogram += hn::Lanes(d)) {
        const auto difference = hn::LoadU(d, differences + lane), bin = hn::LoadU(d, histogram);
        magnitudes.of[i] = hn::Add(magnitudes.of[i], hn::Abs(difference));
        hn::StoreU(hn::Zero(d), d, histogram);
        hn::StoreU(hn::Sub(difference, hn::Add(bin, bin)), d, differences + lane);
      }
    }
    add_over_lanes(d, magnitudes, strip.is_first, sums + cut);
  }
}

// The same for the sums of one block: totals and differences are within 16 bits, being at most the sum of all
// magnitudes.
template <std::size_t kLanes>
HWY_NOINLINE void add_magnitudes(const CodeColumn& column, const Strip& strip,
                                 std::int16_t* HWY_RESTRICT histogram, std::int32_t* HWY_RESTRICT sums) {
  const D16<kLanes> d;
  alignas(64) std::int16_t differences[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) differences[lane] = std::int16_t(strip.totals[lane]);
  using D = typename Magnitudes<kLanes>::D;
  for (std::uint32_t cut = 0; cut <= column.num_cuts; cut += kCutsAtOnce) {
    FourVectors<D> magnitudes;
    for (std::size_t i = 0; i < kCutsAtOnce; ++i) {
      Magnitudes<kLanes> sum;
      for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d), histogram += hn::Lanes(d)) {
        const auto difference = hn::LoadU(d, differences + lane), bin = hn::LoadU(d, histogram);
        sum.add(hn::Abs(difference));
        hn::StoreU(hn::Zero(d), d, histogram);
        hn::StoreU(hn::Sub(difference, hn::Add(bin, bin)), d, differences + lane);
      }
      magnitudes.of[i] = sum.sum();
    }
    add_over_lanes(D(), magnitudes, strip.is_first, sums + cut);
  }
}

bool is_dense(const CodeColumn& column) { return column.skip_code == CodeColumn::kNoMode; }

// The features of a batch: all go over a block of rows before the next, whose weights then come from the
// second-level cache, which also has room for their sums.
template <std::size_t kLanes, class Weight>
class Batch {
 public:
  Batch(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows, Scratch& scratch)
      : columns_(columns), rows_(rows), scratch_(scratch) {}

  void best_cuts(IntegerCut* best) {
    const std::size_t num_strips = rows_.strips.num_strips;
    for (std::size_t s = 0; s < num_strips; ++s) {
      const StripOf<Weight> strip{{rows_.totals + s * kLanes, s == 0, s + 1 == num_strips},
                                  rows_.weights + rows_.strips.at(s, 0, rows_.num_rows),
                                  rows_.num_rows};
      if (rows_.block_ends.size() <= 1)
        sum_one_block(strip, best);
      else
        sum_blocks(strip, best);
    }
  }

 private:
  std::size_t size_of(std::size_t i) const { return (columns_[i].num_cuts + 1) * kLanes; }
  std::int16_t* block_of(std::size_t in_group) { return scratch_.block + in_group * kBins * kLanes; }
  std::int32_t* sums_of(std::size_t i) { return scratch_.sums + i * kBins * kLanes; }

  // body(first, size) for each pair of dense features that follow each other, and each single one.
  template <class Body>
  void for_groups(const Body& body) const {
    for (std::size_t i = 0; i < columns_.size();) {
      const bool pair = i + 1 < columns_.size() && is_dense(columns_[i]) && is_dense(columns_[i + 1]);
      body(i, pair ? kGroup : 1);
      i += pair ? kGroup : 1;
    }
  }

  void sum_one_block(const StripOf<Weight>& strip, IntegerCut* best) {
    for_groups([&](std::size_t i, std::size_t size) HWY_ATTR {
      if (is_dense(columns_[i]))
        sum_block(strip, i, size, 0, strip.num_rows);
      else
        accumulate_others<kLanes>(columns_[i], strip, block_of(0));
      for (std::size_t g = 0; g < size; ++g) add_cuts(strip, i + g, block_of(g), best);
    });
  }

  void sum_blocks(const StripOf<Weight>& strip, IntegerCut* best) {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (!is_dense(columns_[i])) accumulate_others<kLanes>(columns_[i], strip, sums_of(i));
    std::size_t begin = 0;
    for (const std::size_t end : rows_.block_ends) {
      for_groups([&](std::size_t i, std::size_t size) HWY_ATTR {
        if (!is_dense(columns_[i])) return;
        sum_block(strip, i, size, begin, end);
        for (std::size_t g = 0; g < size; ++g) widen<kLanes>(size_of(i + g), block_of(g), sums_of(i + g));
      });
      begin = end;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) add_cuts(strip, i, sums_of(i), best);
  }

  void sum_block(const StripOf<Weight>& strip, std::size_t i, std::size_t size, std::size_t begin,
                 std::size_t end) {
    if (size == kGroup)
      accumulate<kLanes, kGroup>(&columns_[i], strip, begin, end, scratch_.block);
    else
      accumulate<kLanes, 1>(&columns_[i], strip, begin, end, scratch_.block);
  }

  template <class Sum>
  void add_cuts(const StripOf<Weight>& strip, std::size_t i, Sum* histogram, IntegerCut* best) {
    const CodeColumn& column = columns_[i];
    if (!is_dense(column)) complete<kLanes>(column, strip.totals, histogram);
    // Features whose strips do not wait for each other share a place that stays in the first-level cache.
    std::int32_t* sums = scratch_.cuts + (strip.is_first && strip.is_last ? 0 : i) * kBins;
    add_magnitudes<kLanes>(column, strip, histogram, sums);
    if (strip.is_last) best[i] = first_largest(sums, column.num_cuts);
  }

  std::span<const CodeColumn> columns_;
  const WeightRows<Weight>& rows_;
  Scratch& scratch_;
};

template <std::size_t kLanes, class Weight>
void best_cuts_lanes(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows, Scratch& scratch,
                     IntegerCut* best) {
  for (std::size_t i = 0; i < columns.size(); i += kBatch)
    Batch<kLanes, Weight>(columns.subspan(i, std::min(kBatch, columns.size() - i)), rows, scratch)
        .best_cuts(best + i);
}

template <class Weight>
void best_cuts_target(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows, Scratch& scratch,
                      IntegerCut* best) {
  switch (rows.strips.num_lanes) {
    case 4: return best_cuts_lanes<4>(columns, rows, scratch, best);
    case 8: return best_cuts_lanes<8>(columns, rows, scratch, best);
    default: return best_cuts_lanes<16>(columns, rows, scratch, best);
  }
}

void best_cuts_i16(std::span<const CodeColumn> columns, const WeightRows<std::int16_t>& rows,
                   Scratch& scratch, IntegerCut* best) {
  best_cuts_target(columns, rows, scratch, best);
}
void best_cuts_i8(std::span<const CodeColumn> columns, const WeightRows<std::int8_t>& rows, Scratch& scratch,
                  IntegerCut* best) {
  best_cuts_target(columns, rows, scratch, best);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(best_cuts_i16);
HWY_EXPORT(best_cuts_i8);

Scratch& scratch() {
  thread_local const auto scratch = std::make_unique<Scratch>();  // of zeros
  return *scratch;
}

}  // namespace

template <class Weight>
void append_block_ends(const Weight* weights, std::size_t num_rows, const Strips& strips, std::size_t begin,
                       std::size_t end, std::vector<std::uint32_t>& block_ends) {
  constexpr std::size_t kRowsAtOnce = 64;
  std::vector<std::int32_t> sizes(strips.num_all_lanes()), with_more(strips.num_all_lanes());
  const auto add = [&](std::vector<std::int32_t>& sums, std::size_t first, std::size_t last) {
    for (std::size_t strip = 0; strip < strips.num_strips; ++strip)
      for (std::size_t r = first; r < last; ++r)
        for (std::size_t lane = 0; lane < strips.num_lanes; ++lane)
          sums[strip * strips.num_lanes + lane] +=
              std::abs(std::int32_t(weights[strips.at(strip, r, num_rows) + lane]));
    return *std::max_element(sums.begin(), sums.end()) <= kLargestBlockSum;
  };
  for (std::size_t r = begin; r < end;) {
    // Many rows that fit together, else one by one.
    const std::size_t next = std::min(r + kRowsAtOnce, end);
    with_more = sizes;
    if (add(with_more, r, next)) {
      sizes.swap(with_more);
      r = next;
    }
    for (; r < next; ++r) {
      if (add(sizes, r, r + 1)) continue;
      block_ends.push_back(std::uint32_t(r));
      std::fill(sizes.begin(), sizes.end(), 0);
      add(sizes, r, r + 1);
    }
  }
  if (end > begin) block_ends.push_back(std::uint32_t(end));
}
template void append_block_ends(const std::int16_t*, std::size_t, const Strips&, std::size_t, std::size_t,
                                std::vector<std::uint32_t>&);
template void append_block_ends(const std::int8_t*, std::size_t, const Strips&, std::size_t, std::size_t,
                                std::vector<std::uint32_t>&);

void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int16_t>& rows, IntegerCut* best) {
  HWY_DYNAMIC_DISPATCH(best_cuts_i16)(columns, rows, scratch(), best);
}
void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int8_t>& rows, IntegerCut* best) {
  HWY_DYNAMIC_DISPATCH(best_cuts_i8)(columns, rows, scratch(), best);
}

template <class Weight>
IntegerCut best_cut_reference(const CodeColumn& column, const WeightRows<Weight>& rows) {
  IntegerCut best;
  for (std::uint32_t cut = 0; cut <= column.num_cuts; ++cut) {
    std::int64_t sum = 0;
    for (std::size_t strip = 0; strip < rows.strips.num_strips; ++strip)
      for (std::size_t lane = 0; lane < rows.strips.num_lanes; ++lane) {
        std::int64_t edge = 0;
        for (std::size_t r = 0; r < rows.num_rows; ++r)
          edge += (column.codes[r] >= cut ? 1 : -1) *
                  std::int64_t(rows.weights[rows.strips.at(strip, r, rows.num_rows) + lane]);
        sum += std::abs(edge);
      }
    if (cut == 0 || sum > best.sum) best = {cut, sum};
  }
  return best;
}
template IntegerCut best_cut_reference(const CodeColumn&, const WeightRows<std::int16_t>&);
template IntegerCut best_cut_reference(const CodeColumn&, const WeightRows<std::int8_t>&);

}  // namespace mash
#endif
