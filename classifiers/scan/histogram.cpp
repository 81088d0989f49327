// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/histogram.hpp"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/scan/histogram.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kBins = 256;
// Features that share one pass over the weights. More would push the histograms out of the first-level cache.
constexpr std::size_t kGroup = 2;
// The lanes that are left of a cut's sum before cuts are gathered: a 128-bit vector of them, or one without
// vectors.
constexpr std::size_t kPartial = hn::MaxLanes(hn::CappedTag<std::int32_t, 4>());

// kLanes 0: any multiple of 16.
template <std::size_t kLanes>
struct Lanes {
  using D = hn::CappedTag<std::int32_t, kLanes == 0 ? 16 : kLanes>;
  static std::size_t count(std::size_t num_lanes) { return kLanes == 0 ? num_lanes : kLanes; }
};

template <class D>
hn::Vec<D> load_weights(D d, const std::int16_t* weights) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::int16_t, D>(), weights));
}
template <class D>
hn::Vec<D> load_weights(D d, const std::int8_t* weights) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::int8_t, D>(), weights));
}

template <std::size_t kLanes, class Weight>
HWY_INLINE void add_row(std::int32_t* HWY_RESTRICT bin, const Weight* HWY_RESTRICT row,
                        std::size_t num_lanes) {
  const typename Lanes<kLanes>::D d;
  for (std::size_t lane = 0; lane < Lanes<kLanes>::count(num_lanes); lane += hn::Lanes(d))
    hn::StoreU(hn::Add(hn::LoadU(d, bin + lane), load_weights(d, row + lane)), d, bin + lane);
}

// Adds the rows of a group of features; each row's weights are read once.
template <std::size_t kLanes, std::size_t kFeatures, class Weight>
void accumulate(const CodeColumn* columns, const WeightRows<Weight>& rows, std::int32_t* histograms) {
  const std::size_t num_lanes = Lanes<kLanes>::count(rows.num_lanes);
  const typename Lanes<kLanes>::D d;
  const std::uint8_t* codes[kFeatures];
  for (std::size_t g = 0; g < kFeatures; ++g) codes[g] = columns[g].codes;
  const Weight* HWY_RESTRICT row = rows.weights;
  for (std::size_t r = 0; r < rows.num_rows; ++r, row += num_lanes)
    for (std::size_t lane = 0; lane < num_lanes; lane += hn::Lanes(d)) {
      const auto weights = load_weights(d, row + lane);
      for (std::size_t g = 0; g < kFeatures; ++g) {
        std::int32_t* bin = histograms + (g * kBins + codes[g][r]) * num_lanes + lane;
        hn::StoreU(hn::Add(hn::LoadU(d, bin), weights), d, bin);
      }
    }
}

// Adds only the rows whose code is not column.skip_code: repeated additions to one bin would wait for each
// other.
template <std::size_t kLanes, class Weight>
void accumulate_others(const CodeColumn& column, const WeightRows<Weight>& rows, std::int32_t* histogram) {
  const hn::ScalableTag<std::uint8_t> d8;
  const std::size_t width = hn::Lanes(d8);
  const std::size_t num_lanes = Lanes<kLanes>::count(rows.num_lanes);
  const auto skip = hn::Set(d8, std::uint8_t(column.skip_code));
  const auto add = [&](std::size_t r) {
    add_row<kLanes>(histogram + column.codes[r] * num_lanes, rows.weights + r * num_lanes, num_lanes);
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

// Fills the skipped bin from the totals.
template <std::size_t kLanes>
void complete(const CodeColumn& column, const std::int32_t* totals, std::size_t num_lanes,
              std::int32_t* histogram) {
  num_lanes = Lanes<kLanes>::count(num_lanes);
  std::int32_t* skipped = histogram + column.skip_code * num_lanes;
  std::memcpy(skipped, totals, num_lanes * sizeof(std::int32_t));
  for (std::size_t bin = 0; bin <= column.num_cuts; ++bin)
    if (bin != column.skip_code)
      for (std::size_t lane = 0; lane < num_lanes; ++lane) skipped[lane] -= histogram[bin * num_lanes + lane];
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

// The largest of the sums, the first among equals.
inline IntegerCut first_largest(const std::int32_t* sums, std::uint32_t num_cuts) {
  IntegerCut best{0, sums[0]};
  for (std::uint32_t cut = 1; cut <= num_cuts; ++cut)
    if (sums[cut] > best.sum) best = {cut, sums[cut]};
  return best;
}

// Walks the cuts from low to high with the sums of the codes below the cut. Each cut's sum over lanes is left
// in kPartial parts; they are added for many cuts at once in the end.
template <std::size_t kLanes>
IntegerCut scan_cuts(const CodeColumn& column, const std::int32_t* HWY_RESTRICT totals, std::size_t num_lanes,
                     const std::int32_t* HWY_RESTRICT histogram, std::int32_t* HWY_RESTRICT below) {
  const typename Lanes<kLanes>::D d;
  num_lanes = Lanes<kLanes>::count(num_lanes);
  std::int32_t partial[kBins * kPartial];
  std::memset(below, 0, num_lanes * sizeof(std::int32_t));
  for (std::uint32_t cut = 0; cut <= column.num_cuts; ++cut) {
    auto sums = hn::Zero(d);
    for (std::size_t lane = 0; lane < num_lanes; lane += hn::Lanes(d)) {
      const auto sum_below = hn::LoadU(d, below + lane);
      sums = hn::Add(sums, hn::Abs(hn::Sub(hn::LoadU(d, totals + lane), hn::Add(sum_below, sum_below))));
      hn::StoreU(hn::Add(sum_below, hn::LoadU(d, histogram + cut * num_lanes + lane)), d, below + lane);
    }
    const auto folded = fold(d, sums);
    hn::StoreU(folded, hn::DFromV<decltype(folded)>(), partial + cut * kPartial);
  }
  if constexpr (kPartial == 4) {
    const hn::CappedTag<std::int32_t, 16> ds;
    std::int32_t sums[kBins];
    for (std::size_t cut = 0; cut <= column.num_cuts; cut += hn::Lanes(ds)) {
      hn::Vec<decltype(ds)> a, b, c, e;
      hn::LoadInterleaved4(ds, partial + cut * kPartial, a, b, c, e);
      hn::StoreU(hn::Add(hn::Add(a, b), hn::Add(c, e)), ds, sums + cut);
    }
    return first_largest(sums, column.num_cuts);
  } else {
    return first_largest(partial, column.num_cuts);
  }
}

template <std::size_t kLanes, class Weight>
void best_cuts_lanes(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows,
                     std::int32_t* scratch, IntegerCut* best) {
  const std::size_t num_lanes = rows.num_lanes;
  std::int32_t* below = scratch + kGroup * kBins * num_lanes;
  const auto clear = [&](std::size_t g) {
    std::memset(scratch + g * kBins * num_lanes, 0, kBins * num_lanes * sizeof(std::int32_t));
  };
  const auto scan = [&](std::size_t i, std::size_t g) {
    best[i] = scan_cuts<kLanes>(columns[i], rows.totals, num_lanes, scratch + g * kBins * num_lanes, below);
  };
  for (std::size_t i = 0; i < columns.size();) {
    clear(0);
    if (columns[i].skip_code != CodeColumn::kNoMode) {
      accumulate_others<kLanes>(columns[i], rows, scratch);
      complete<kLanes>(columns[i], rows.totals, num_lanes, scratch);
      scan(i++, 0);
    } else if (i + 1 < columns.size() && columns[i + 1].skip_code == CodeColumn::kNoMode) {
      clear(1);
      accumulate<kLanes, kGroup>(&columns[i], rows, scratch);
      scan(i++, 0);
      scan(i++, 1);
    } else {
      accumulate<kLanes, 1>(&columns[i], rows, scratch);
      scan(i++, 0);
    }
  }
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

constexpr std::size_t kGroupScratch = 2;

std::vector<const char*> supported_names() {
  std::vector<const char*> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    names.push_back(hwy::TargetName(target));
  return names;
}

}  // namespace

std::size_t scratch_size(std::size_t num_lanes) { return (kGroupScratch * 256 + 1) * num_lanes; }

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
