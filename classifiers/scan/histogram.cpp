// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
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

// Features whose sums stay in the second-level cache together: 256 KiB of 32-bit sums, or a pair's.
constexpr std::size_t batch_size(std::size_t num_lanes) {
  return std::clamp<std::size_t>(256 / num_lanes, 2, 16);
}

}  // namespace
}  // namespace mash
#endif

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kBins = 256;
// Features that share one pass over the weights; their 16-bit sums fit into the first-level cache.
constexpr std::size_t kGroup = 2;
// The lanes that are left of a cut's sum before cuts are gathered: a 128-bit vector of them, or one without
// vectors.
constexpr std::size_t kPartial = hn::MaxLanes(hn::CappedTag<std::int32_t, 4>());

// kLanes 0: any multiple of 16.
template <std::size_t kLanes>
struct Lanes {
  using D16 = hn::CappedTag<std::int16_t, kLanes == 0 ? 16 : kLanes>;
  using D32 = hn::CappedTag<std::int32_t, kLanes == 0 ? 16 : kLanes>;
  static std::size_t count(std::size_t num_lanes) { return kLanes == 0 ? num_lanes : kLanes; }
};

// Integers of the vector's type or a narrower one.
template <class D, class Integer>
hn::Vec<D> load(D d, const Integer* from) {
  if constexpr (sizeof(Integer) == sizeof(hn::TFromD<D>))
    return hn::LoadU(d, from);
  else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<Integer, D>(), from));
}

// Adds the rows [begin, end) of a group of features; each row's weights are read once.
template <std::size_t kLanes, std::size_t kFeatures, class Weight>
void accumulate(const CodeColumn* columns, const WeightRows<Weight>& rows, std::size_t begin, std::size_t end,
                std::int16_t* histograms) {
  const std::size_t num_lanes = Lanes<kLanes>::count(rows.num_lanes);
  const typename Lanes<kLanes>::D16 d;
  const std::uint8_t* codes[kFeatures];
  for (std::size_t g = 0; g < kFeatures; ++g) codes[g] = columns[g].codes;
  const Weight* HWY_RESTRICT row = rows.weights + begin * num_lanes;
  for (std::size_t r = begin; r < end; ++r, row += num_lanes)
    for (std::size_t lane = 0; lane < num_lanes; lane += hn::Lanes(d)) {
      const auto weights = load(d, row + lane);
      for (std::size_t g = 0; g < kFeatures; ++g) {
        std::int16_t* bin = histograms + (g * kBins + codes[g][r]) * num_lanes + lane;
        hn::StoreU(hn::Add(hn::LoadU(d, bin), weights), d, bin);
      }
    }
}

// Adds only the rows whose code is not column.skip_code: repeated additions to one bin would wait for each
// other.
template <std::size_t kLanes, class Weight, class Sum>
void accumulate_others(const CodeColumn& column, const WeightRows<Weight>& rows,
                       Sum* HWY_RESTRICT histogram) {
  const hn::ScalableTag<std::uint8_t> d8;
  const hn::CappedTag<Sum, kLanes == 0 ? 16 : kLanes> d;
  const std::size_t width = hn::Lanes(d8);
  const std::size_t num_lanes = Lanes<kLanes>::count(rows.num_lanes);
  const auto skip = hn::Set(d8, std::uint8_t(column.skip_code));
  const auto add = [&](std::size_t r) HWY_ATTR {
    Sum* bin = histogram + column.codes[r] * num_lanes;
    const Weight* HWY_RESTRICT row = rows.weights + r * num_lanes;
    for (std::size_t lane = 0; lane < num_lanes; lane += hn::Lanes(d))
      hn::StoreU(hn::Add(hn::LoadU(d, bin + lane), load(d, row + lane)), d, bin + lane);
  };
  std::size_t r = 0;
  for (; r + width <= rows.num_rows; r += width) {
    std::uint64_t others = 0;
    hn::StoreMaskBits(d8, hn::Ne(hn::LoadU(d8, column.codes + r), skip),
                      reinterpret_cast<std::uint8_t*>(&others));
    for (; others != 0; others &= others - 1) add(r + std::size_t(std::countr_zero(others)));
  }
  for (; r < rows.num_rows; ++r)
    if (column.codes[r] != column.skip_code) add(r);
}

// Adds the sums of a block to those of all blocks.
template <std::size_t kLanes>
void widen(std::size_t size, const std::int16_t* HWY_RESTRICT block, std::int32_t* HWY_RESTRICT sums) {
  const typename Lanes<kLanes>::D32 d;
  for (std::size_t i = 0; i < size; i += hn::Lanes(d))
    hn::StoreU(hn::Add(hn::LoadU(d, sums + i), load(d, block + i)), d, sums + i);
}

// Fills the skipped bin from the totals.
template <std::size_t kLanes, class Sum>
void complete(const CodeColumn& column, const std::int32_t* totals, std::size_t num_lanes, Sum* histogram) {
  num_lanes = Lanes<kLanes>::count(num_lanes);
  Sum* skipped = histogram + column.skip_code * num_lanes;
  for (std::size_t lane = 0; lane < num_lanes; ++lane) skipped[lane] = Sum(totals[lane]);
  for (std::size_t bin = 0; bin <= column.num_cuts; ++bin)
    if (bin != column.skip_code)
      for (std::size_t lane = 0; lane < num_lanes; ++lane)
        skipped[lane] = Sum(skipped[lane] - histogram[bin * num_lanes + lane]);
}

// Adds the upper to the lower half of a vector until kPartial lanes are left.
template <class D>
auto fold([[maybe_unused]] D d, hn::Vec<D> v) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) > kPartial) {
    const hn::Half<D> half;
    return fold(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
#endif
  if constexpr (hn::MaxLanes(D()) <= kPartial) return v;
}

// The largest of the sums, the first among equals. Sums after the last are overwritten.
inline IntegerCut first_largest(std::int32_t* HWY_RESTRICT sums, std::uint32_t num_cuts) {
  const hn::CappedTag<std::int32_t, 16> d;
  const std::size_t size = (num_cuts / hn::Lanes(d) + 1) * hn::Lanes(d);
  for (std::size_t i = num_cuts + 1; i < size; ++i) sums[i] = -1;  // sums of sizes are not negative
  auto largest = hn::LoadU(d, sums);
  for (std::size_t i = hn::Lanes(d); i < size; i += hn::Lanes(d))
    largest = hn::Max(largest, hn::LoadU(d, sums + i));
  largest = hn::MaxOfLanes(d, largest);
  for (std::size_t i = 0;; i += hn::Lanes(d)) {
    const std::intptr_t first = hn::FindFirstTrue(d, hn::Eq(hn::LoadU(d, sums + i), largest));
    if (first >= 0) return {std::uint32_t(i + std::size_t(first)), hn::GetLane(largest)};
  }
}

// Each cut's sum over lanes is left in kPartial parts; they are added for many cuts at once in the end.
inline IntegerCut first_largest_of_parts(std::int32_t* HWY_RESTRICT partial, std::uint32_t num_cuts) {
  if constexpr (kPartial == 4) {
    const hn::CappedTag<std::int32_t, 16> d;
    alignas(64) std::int32_t sums[kBins];
    for (std::size_t cut = 0; cut <= num_cuts; cut += hn::Lanes(d)) {
      hn::Vec<decltype(d)> a, b, c, e;
      hn::LoadInterleaved4(d, partial + cut * kPartial, a, b, c, e);
      hn::StoreU(hn::Add(hn::Add(a, b), hn::Add(c, e)), d, sums + cut);
    }
    return first_largest(sums, num_cuts);
  } else {
    return first_largest(partial, num_cuts);
  }
}

// Walks the cuts from low to high with the sums of the codes below the cut.
template <std::size_t kLanes, class Sum>
IntegerCut scan_cuts(const CodeColumn& column, const std::int32_t* HWY_RESTRICT totals, std::size_t num_lanes,
                     const Sum* HWY_RESTRICT histogram, std::int32_t* HWY_RESTRICT below) {
  const typename Lanes<kLanes>::D32 d;
  num_lanes = Lanes<kLanes>::count(num_lanes);
  std::int32_t partial[kBins * kPartial];
  std::memset(below, 0, num_lanes * sizeof(std::int32_t));
  for (std::uint32_t cut = 0; cut <= column.num_cuts; ++cut) {
    auto sums = hn::Zero(d);
    for (std::size_t lane = 0; lane < num_lanes; lane += hn::Lanes(d)) {
      const auto sum_below = hn::LoadU(d, below + lane);
      sums = hn::Add(sums, hn::Abs(hn::Sub(hn::LoadU(d, totals + lane), hn::Add(sum_below, sum_below))));
      hn::StoreU(hn::Add(sum_below, load(d, histogram + cut * num_lanes + lane)), d, below + lane);
    }
    const auto folded = fold(d, sums);
    hn::StoreU(folded, hn::DFromV<decltype(folded)>(), partial + cut * kPartial);
  }
  return first_largest_of_parts(partial, column.num_cuts);
}

#if HWY_TARGET != HWY_SCALAR
// The same for the sums of one block, whose lanes stay within 16 bits, as above - below does: at most the sum
// of all sizes. For 8 lanes and more.
template <std::size_t kLanes>
IntegerCut scan_cuts_of_block(const CodeColumn& column, const std::int32_t* HWY_RESTRICT totals,
                              std::size_t num_lanes, const std::int16_t* HWY_RESTRICT histogram,
                              std::int32_t* HWY_RESTRICT scratch) {
  const typename Lanes<kLanes>::D16 d;
  const hn::RepartitionToWide<decltype(d)> d32;
  num_lanes = Lanes<kLanes>::count(num_lanes);
  std::int32_t partial[kBins * kPartial];
  std::int16_t* below = reinterpret_cast<std::int16_t*>(scratch);
  std::int16_t* above = below + num_lanes;
  for (std::size_t lane = 0; lane < num_lanes; ++lane) {
    below[lane] = 0;
    above[lane] = std::int16_t(totals[lane]);
  }
  const auto one = hn::Set(d, 1);
  for (std::uint32_t cut = 0; cut <= column.num_cuts; ++cut) {
    auto even = hn::Zero(d32), odd = hn::Zero(d32);
    for (std::size_t lane = 0; lane < num_lanes; lane += hn::Lanes(d)) {
      const auto sum_below = hn::LoadU(d, below + lane), sum_above = hn::LoadU(d, above + lane);
      even = hn::ReorderWidenMulAccumulate(d32, hn::Abs(hn::Sub(sum_above, sum_below)), one, even, odd);
      const auto bin = hn::LoadU(d, histogram + cut * num_lanes + lane);
      hn::StoreU(hn::Add(sum_below, bin), d, below + lane);
      hn::StoreU(hn::Sub(sum_above, bin), d, above + lane);
    }
    const auto folded = fold(d32, hn::Add(even, odd));
    hn::StoreU(folded, hn::DFromV<decltype(folded)>(), partial + cut * kPartial);
  }
  return first_largest_of_parts(partial, column.num_cuts);
}
#endif

bool is_dense(const CodeColumn& column) { return column.skip_code == CodeColumn::kNoMode; }

// The features of a batch: all go over a block of rows before the next, whose weights then come from the
// second-level cache, which also has room for their sums.
template <std::size_t kLanes, class Weight>
class Batch {
 public:
  Batch(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows, std::int32_t* scratch)
      : columns_(columns),
        rows_(rows),
        num_lanes_(Lanes<kLanes>::count(rows.num_lanes)),
        below_(scratch),
        block_(reinterpret_cast<std::int16_t*>(scratch + num_lanes_)),
        sums_(scratch + num_lanes_ + kGroup * kBins * num_lanes_ / 2) {}

  void best_cuts(IntegerCut* best) {
    if (rows_.block_ends.size() <= 1) return best_cuts_of_one_block(best);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      clear(i, sums_of(i));
      if (!is_dense(columns_[i])) accumulate_others<kLanes>(columns_[i], rows_, sums_of(i));
    }
    std::size_t begin = 0;
    for (const std::size_t end : rows_.block_ends) {
      for_groups([&](std::size_t i, std::size_t size) HWY_ATTR {
        if (!is_dense(columns_[i])) return;
        sum_block(i, size, begin, end);
        for (std::size_t g = 0; g < size; ++g)
          widen<kLanes>(size_of(i + g), block_ + g * kBins * num_lanes_, sums_of(i + g));
      });
      begin = end;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) best[i] = best_cut(i, sums_of(i));
  }

 private:
  std::size_t size_of(std::size_t i) const { return (columns_[i].num_cuts + 1) * num_lanes_; }
  std::int32_t* sums_of(std::size_t i) const { return sums_ + i * kBins * num_lanes_; }
  template <class Sum>
  void clear(std::size_t i, Sum* histogram) const {
    std::memset(histogram, 0, size_of(i) * sizeof(Sum));
  }

  // body(first, size) for each pair of dense features that follow each other, and each single one.
  template <class Body>
  void for_groups(const Body& body) const {
    for (std::size_t i = 0; i < columns_.size();) {
      const bool pair = i + 1 < columns_.size() && is_dense(columns_[i]) && is_dense(columns_[i + 1]);
      body(i, pair ? kGroup : 1);
      i += pair ? kGroup : 1;
    }
  }

  void best_cuts_of_one_block(IntegerCut* best) {
    for_groups([&](std::size_t i, std::size_t size) HWY_ATTR {
      if (is_dense(columns_[i])) {
        sum_block(i, size, 0, rows_.num_rows);
      } else {
        clear(i, block_);
        accumulate_others<kLanes>(columns_[i], rows_, block_);
      }
      for (std::size_t g = 0; g < size; ++g) best[i + g] = best_cut(i + g, block_ + g * kBins * num_lanes_);
    });
  }

  void sum_block(std::size_t i, std::size_t size, std::size_t begin, std::size_t end) {
    for (std::size_t g = 0; g < size; ++g) clear(i + g, block_ + g * kBins * num_lanes_);
    if (size == kGroup)
      accumulate<kLanes, kGroup>(&columns_[i], rows_, begin, end, block_);
    else
      accumulate<kLanes, 1>(&columns_[i], rows_, begin, end, block_);
  }

  template <class Sum>
  IntegerCut best_cut(std::size_t i, Sum* histogram) {
    if (!is_dense(columns_[i])) complete<kLanes>(columns_[i], rows_.totals, num_lanes_, histogram);
#if HWY_TARGET != HWY_SCALAR
    if constexpr (sizeof(Sum) == 2 && kLanes != 4)
      return scan_cuts_of_block<kLanes>(columns_[i], rows_.totals, num_lanes_, histogram, below_);
#endif
    return scan_cuts<kLanes>(columns_[i], rows_.totals, num_lanes_, histogram, below_);
  }

  std::span<const CodeColumn> columns_;
  const WeightRows<Weight>& rows_;
  std::size_t num_lanes_;
  std::int32_t* below_;  // a row of 32 bits or two of 16, of scan_cuts
  std::int16_t* block_;  // of a group, over one block of rows
  std::int32_t* sums_;   // of each feature, over all
};

template <std::size_t kLanes, class Weight>
void best_cuts_lanes(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows,
                     std::int32_t* scratch, IntegerCut* best) {
  const std::size_t size = batch_size(rows.num_lanes);
  for (std::size_t i = 0; i < columns.size(); i += size)
    Batch<kLanes, Weight>(columns.subspan(i, std::min(size, columns.size() - i)), rows, scratch)
        .best_cuts(best + i);
}

template <class Weight>
void best_cuts_target(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows,
                      std::int32_t* scratch, IntegerCut* best) {
  switch (rows.num_lanes) {
    case 4: return best_cuts_lanes<4>(columns, rows, scratch, best);
    case 8: return best_cuts_lanes<8>(columns, rows, scratch, best);
    case 16: return best_cuts_lanes<16>(columns, rows, scratch, best);
    case 32: return best_cuts_lanes<32>(columns, rows, scratch, best);
    default: return best_cuts_lanes<0>(columns, rows, scratch, best);
  }
}

void best_cuts_i16(std::span<const CodeColumn> columns, const WeightRows<std::int16_t>& rows,
                   std::int32_t* scratch, IntegerCut* best) {
  best_cuts_target(columns, rows, scratch, best);
}
void best_cuts_i8(std::span<const CodeColumn> columns, const WeightRows<std::int8_t>& rows,
                  std::int32_t* scratch, IntegerCut* best) {
  best_cuts_target(columns, rows, scratch, best);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(best_cuts_i16);
HWY_EXPORT(best_cuts_i8);

std::vector<const char*> supported_names() {
  std::vector<const char*> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    names.push_back(hwy::TargetName(target));
  return names;
}

}  // namespace

// A row, a pair's sums in 16 bits, a batch's in 32.
std::size_t scratch_size(std::size_t num_lanes) {
  return (1 + 256 + 256 * batch_size(num_lanes)) * num_lanes;
}

template <class Weight>
void append_block_ends(const Weight* weights, std::size_t num_lanes, std::size_t begin, std::size_t end,
                       std::vector<std::uint32_t>& block_ends) {
  constexpr std::size_t kRowsAtOnce = 64;
  std::vector<std::int32_t> sizes(num_lanes), with_more(num_lanes);
  const auto add = [&](std::vector<std::int32_t>& sums, std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r)
      for (std::size_t lane = 0; lane < num_lanes; ++lane)
        sums[lane] += std::abs(std::int32_t(weights[r * num_lanes + lane]));
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
template void append_block_ends(const std::int16_t*, std::size_t, std::size_t, std::size_t,
                                std::vector<std::uint32_t>&);
template void append_block_ends(const std::int8_t*, std::size_t, std::size_t, std::size_t,
                                std::vector<std::uint32_t>&);

void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int16_t>& rows,
               std::span<std::int32_t> scratch, IntegerCut* best) {
  HWY_DYNAMIC_DISPATCH(best_cuts_i16)(columns, rows, scratch.data(), best);
}
void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int8_t>& rows,
               std::span<std::int32_t> scratch, IntegerCut* best) {
  HWY_DYNAMIC_DISPATCH(best_cuts_i8)(columns, rows, scratch.data(), best);
}

template <class Weight>
IntegerCut best_cut_reference(const CodeColumn& column, const WeightRows<Weight>& rows) {
  IntegerCut best;
  for (std::uint32_t cut = 0; cut <= column.num_cuts; ++cut) {
    std::int64_t sum = 0;
    for (std::size_t lane = 0; lane < rows.num_lanes; ++lane) {
      std::int64_t edge = 0;
      for (std::size_t r = 0; r < rows.num_rows; ++r)
        edge += (column.codes[r] >= cut ? 1 : -1) * std::int64_t(rows.weights[r * rows.num_lanes + lane]);
      sum += std::abs(edge);
    }
    if (cut == 0 || sum > best.sum) best = {cut, sum};
  }
  return best;
}
template IntegerCut best_cut_reference(const CodeColumn&, const WeightRows<std::int16_t>&);
template IntegerCut best_cut_reference(const CodeColumn&, const WeightRows<std::int8_t>&);

std::span<const char* const> scan_targets() {
  static const std::vector<const char*> names = supported_names();
  return names;
}

const char* scan_target() { return hwy::TargetName(hwy::SupportedAndGeneratedTargets().front()); }

bool set_scan_target(const char* name) {
  hwy::SetSupportedTargetsForTest(0);
  if (*name == 0) return true;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if (std::strcmp(hwy::TargetName(target), name) == 0) {
      hwy::SetSupportedTargetsForTest(target);
      return true;
    }
  return false;
}

}  // namespace mash
#endif
