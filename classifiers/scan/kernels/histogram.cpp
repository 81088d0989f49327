// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/histogram.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/scan/kernels/histogram.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#include "classifiers/scan/kernels/row_sums-inl.hpp"

#ifndef MASH_SCAN_BATCH  // this file is read once for each instruction set
#define MASH_SCAN_BATCH
namespace mash {
namespace {

constexpr std::size_t kMaxLanes = 16;
// Features whose sums stay in the second-level cache together: 128 KiB in 16 bits, and 256 KiB in 32 bits
// where these are needed.
constexpr std::size_t kBatch = 16;
constexpr std::int32_t kLargestSum = 32767;  // in 16 bits
// Rows that all features of a batch go over before the next, about: with their sums, the weights fit into the
// second-level cache.
constexpr std::size_t kRowsAtOnce = 16384;
// Fewer rows than this are added sooner than the sums of a skipped code are found.
constexpr std::size_t kFewRows = 384;
// Rows between two looks at sums in 16 bits, about, below which sums in 32 bits are faster: for a feature
// with a skipped code, and for a dense one.
constexpr std::size_t kShortRun = 1024, kShortRunOfDense = 320;

// Working memory of a batch, beside the codes and the weights. `narrow` and `wide` are zero whenever a strip
// begins: widen and add_magnitudes, which read them last, leave zeros. `cuts` is written before it is read.
struct alignas(64) Scratch {
  std::int16_t narrow[kBatch * kNumCodes * kMaxLanes];  // of each feature, over blocks not yet widened
  std::int32_t wide[kBatch * kNumCodes * kMaxLanes];    // over those before
  std::int32_t cuts[kBatch * kNumCodes];                // of each feature's cuts, over all strips so far
};

}  // namespace
}  // namespace mash
#endif

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Fills the skipped bin, which is zero, from the totals.
template <std::size_t kLanes, class Sum>
void complete(const CodeColumn& column, const std::int32_t* totals, Sum* HWY_RESTRICT histogram) {
  const hn::CappedTag<Sum, kLanes> d;
  alignas(64) Sum rest[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) rest[lane] = Sum(totals[lane]);
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    auto left = hn::Load(d, rest + lane);
    for (std::size_t bin = 0; bin <= column.num_cuts; ++bin)
      left = hn::Sub(left, hn::LoadU(d, histogram + bin * kLanes + lane));
    hn::StoreU(left, d, histogram + column.skip_code * kLanes + lane);
  }
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
static_assert(kNumCodes % kCutsAtOnce == 0);

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
// `sums`, which has kNumCodes places.
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
// are of no cut. Leaves zeros in the histogram, whose sums have 16 or 32 bits. Not inlined: the loops of
// accumulate then keep all in registers, which was worth a fifth of the time.
template <std::size_t kLanes, class Sum>
HWY_NOINLINE void add_magnitudes(const CodeColumn& column, const Strip& strip, Sum* HWY_RESTRICT histogram,
                                 std::int32_t* HWY_RESTRICT sums) {
  const D32<kLanes> d;
  const hn::Rebind<Sum, D32<kLanes>> d_sum;
  alignas(64) std::int32_t differences[kLanes];
  std::copy_n(strip.totals, kLanes, differences);
  for (std::uint32_t cut = 0; cut <= column.num_cuts; cut += kCutsAtOnce) {
    FourVectors<D32<kLanes>> magnitudes;
    for (std::size_t i = 0; i < kCutsAtOnce; ++i) {
      magnitudes.of[i] = hn::Zero(d);
      for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d), histogram += hn::Lanes(d)) {
        const auto difference = hn::LoadU(d, differences + lane), bin = load(d, histogram);
        magnitudes.of[i] = hn::Add(magnitudes.of[i], hn::Abs(difference));
        hn::StoreU(hn::Zero(d_sum), d_sum, histogram);
        hn::StoreU(hn::Sub(difference, hn::Add(bin, bin)), d, differences + lane);
      }
    }
    add_over_lanes(d, magnitudes, strip.is_first, sums + cut);
  }
}

// The same where the sum of all magnitudes has 16 bits, and with it totals and differences.
template <std::size_t kLanes>
HWY_NOINLINE void add_small_magnitudes(const CodeColumn& column, const Strip& strip,
                                       std::int16_t* HWY_RESTRICT histogram,
                                       std::int32_t* HWY_RESTRICT sums) {
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

// The features of a batch, the dense ones first: all go over a block of rows before the next, whose weights
// then come from the second-level cache, which also has room for their sums.
template <std::size_t kLanes, class Weight>
class Batch {
 public:
  Batch(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows, std::size_t pass_width,
        Scratch& scratch)
      : columns_(columns),
        num_dense_(std::size_t(std::count_if(columns.begin(), columns.end(), is_dense))),
        rows_(rows),
        pass_width_(pass_width),
        scratch_(scratch) {}

  void best_cuts(IntegerCut* best) {
    std::int64_t sum = 0;
    for (const RowBlock& block : rows_.blocks) sum += block.sum;
    rows_of_a_run_ = double(rows_.num_rows) * kLargestSum / double(std::max<std::int64_t>(sum, 1));
    sum = std::min<std::int64_t>(sum, rows_.magnitude);
    const std::size_t num_strips = rows_.strips.num_strips;
    for (std::size_t s = 0; s < num_strips; ++s) {
      const StripOf<Weight> strip{{rows_.totals + s * kLanes, s == 0, s + 1 == num_strips},
                                  rows_.weights + rows_.strips.at(s, 0, rows_.num_rows),
                                  rows_.num_rows};
      if (sum <= kLargestSum)
        sum_small(strip, best);
      else
        sum_blocks(strip, best);
    }
  }

 private:
  std::size_t size_of(std::size_t i) const { return (columns_[i].num_cuts + 1) * kLanes; }
  std::int16_t* narrow_of(std::size_t i) { return scratch_.narrow + i * kNumCodes * kLanes; }
  std::int32_t* wide_of(std::size_t i) { return scratch_.wide + i * kNumCodes * kLanes; }

  // body(first, size) for each four dense features, then two and one, and each other one.
  template <class Body>
  void for_groups(const Body& body) const {
    for (std::size_t i = 0, size = 0; i < columns_.size(); i += size) {
      size = pass_width_;
      while (size > 1 && i + size > num_dense_) size /= 2;
      body(i, size);
    }
  }

  // Where no sum can leave 16 bits: all features use one place, which stays in the first-level cache.
  void sum_small(const StripOf<Weight>& strip, IntegerCut* best) {
    for_groups([&](std::size_t i, std::size_t size) HWY_ATTR {
      sum_rows(strip, i, size, 0, strip.num_rows, narrow_of(0));
      for (std::size_t g = 0; g < size; ++g) {
        if (!is_dense(columns_[i + g])) complete<kLanes>(columns_[i + g], strip.totals, narrow_of(g));
        add_small_magnitudes<kLanes>(columns_[i + g], strip, narrow_of(g), cuts_of(strip, i + g));
        choose_cut(strip, i + g, best);
      }
    });
  }

  void sum_blocks(const StripOf<Weight>& strip, IntegerCut* best) {
    const std::span<const RowBlock> blocks = rows_.blocks;
    std::array<Growth, kBatch> growth{};
    for (std::size_t first = 0, last = 0; first < blocks.size(); first = last) {
      const std::size_t begin = first == 0 ? 0 : blocks[first - 1].end;
      while (last < blocks.size() && (last == first || blocks[last].end - begin <= kRowsAtOnce)) ++last;
      for_groups([&](std::size_t i, std::size_t size) HWY_ATTR {
        if (rows_of_a_run_ < (is_dense(columns_[i]) ? kShortRunOfDense : kShortRun))
          sum_wide(strip, i, size, begin, blocks[last - 1].end, growth[i]);
        else
          sum_group(strip, i, size, first, last, growth[i]);
      });
    }
    for_groups([&](std::size_t i, std::size_t size) HWY_ATTR {
      for (std::size_t g = 0; g < size; ++g) add_all(strip, i + g, growth[i].is_wide, best);
    });
  }

  // The column that is read after feature i.
  const std::uint8_t* next_of(std::size_t i) const {
    return columns_[i + 1 < columns_.size() ? i + 1 : 0].codes;
  }

  // The narrow sums of a group of features.
  struct Growth {
    std::int32_t largest = 0;  // no magnitude is above it
    bool is_wide = false;      // there are wide ones beside them
  };

  // Two features at a time: the wide sums of more leave no room in the first-level cache.
  void sum_wide(const StripOf<Weight>& strip, std::size_t i, std::size_t size, std::size_t begin,
                std::size_t end, Growth& growth) {
    growth.is_wide = true;
    const std::size_t together = std::min<std::size_t>(size, 2);
    for (std::size_t g = 0; g < size; g += together)
      sum_rows(strip, i + g, together, begin, end, wide_of(i + g));
  }

  // Adds the blocks [first, last), as many at a time as are sure to fit.
  void sum_group(const StripOf<Weight>& strip, std::size_t i, std::size_t size, std::size_t first,
                 std::size_t last, Growth& growth) {
    const std::span<const RowBlock> blocks = rows_.blocks;
    for (std::size_t next = first; first < last; first = next) {
      std::int32_t sum = growth.largest;
      while (next < last && sum + blocks[next].sum <= kLargestSum) sum += blocks[next++].sum;
      if (next > first) {
        sum_rows(strip, i, size, first == 0 ? 0 : blocks[first - 1].end, blocks[next - 1].end, narrow_of(i));
        growth.largest = sum;
      } else {
        make_room(i, size, blocks[first].sum, growth);
      }
    }
  }

  // Looks how large the narrow sums have become, and moves them where little room is left.
  void make_room(std::size_t i, std::size_t size, std::int32_t sum_of_next, Growth& growth) {
    growth.largest = 0;
    for (std::size_t g = 0; g < size; ++g)
      growth.largest = std::max(growth.largest, largest_magnitude(size_of(i + g), narrow_of(i + g)));
    if (growth.largest <= std::min(kLargestSum - sum_of_next, kLargestSum / 2)) return;
    for (std::size_t g = 0; g < size; ++g) widen<kLanes>(size_of(i + g), narrow_of(i + g), wide_of(i + g));
    growth = {0, true};
  }

  template <class Sum>
  void sum_rows(const StripOf<Weight>& strip, std::size_t i, std::size_t size, std::size_t begin,
                std::size_t end, Sum* sums) {
    if (!is_dense(columns_[i]))
      return accumulate_others<kLanes>(columns_[i], strip, begin, end, next_of(i), sums);
    if (size == 4)
      accumulate<kLanes, 4>(&columns_[i], strip, begin, end, sums);
    else if (size == 2)
      accumulate<kLanes, 2>(&columns_[i], strip, begin, end, sums);
    else
      accumulate<kLanes, 1>(&columns_[i], strip, begin, end, sums);
  }

  void add_all(const StripOf<Weight>& strip, std::size_t i, bool is_wide, IntegerCut* best) {
    const CodeColumn& column = columns_[i];
    if (is_wide || !is_dense(column)) widen<kLanes>(size_of(i), narrow_of(i), wide_of(i));
    if (!is_dense(column)) complete<kLanes>(column, strip.totals, wide_of(i));
    if (is_wide || !is_dense(column))
      add_magnitudes<kLanes>(column, strip, wide_of(i), cuts_of(strip, i));
    else
      add_magnitudes<kLanes>(column, strip, narrow_of(i), cuts_of(strip, i));
    choose_cut(strip, i, best);
  }

  // Features whose strips do not wait for each other share a place that stays in the first-level cache.
  std::int32_t* cuts_of(const Strip& strip, std::size_t i) {
    return scratch_.cuts + (strip.is_first && strip.is_last ? 0 : i) * kNumCodes;
  }
  void choose_cut(const Strip& strip, std::size_t i, IntegerCut* best) {
    if (strip.is_last) best[i] = first_largest(cuts_of(strip, i), columns_[i].num_cuts);
  }

  std::span<const CodeColumn> columns_;
  std::size_t num_dense_;
  const WeightRows<Weight>& rows_;
  std::size_t pass_width_;
  double rows_of_a_run_ = 0;  // between two looks at sums in 16 bits, about
  Scratch& scratch_;
};

template <std::size_t kLanes, class Weight>
void best_cuts_lanes(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows,
                     std::size_t pass_width, Scratch& scratch, IntegerCut* best) {
  std::array<CodeColumn, kBatch> ordered;
  std::array<std::size_t, kBatch> places;
  std::array<IntegerCut, kBatch> found;
  for (std::size_t first = 0, size = 0; first < columns.size(); first += size) {
    size = std::min(kBatch, columns.size() - first);
    const auto end = places.begin() + std::ptrdiff_t(size);
    std::iota(places.begin(), end, first);
    if (rows.num_rows >= kFewRows)
      std::stable_partition(places.begin(), end, [&](std::size_t i) { return is_dense(columns[i]); });
    for (std::size_t i = 0; i < size; ++i) {
      ordered[i] = columns[places[i]];
      if (rows.num_rows < kFewRows) ordered[i].skip_code = CodeColumn::kNoMode;
    }
    Batch<kLanes, Weight>({ordered.data(), size}, rows, pass_width, scratch).best_cuts(found.data());
    for (std::size_t i = 0; i < size; ++i) best[places[i]] = found[i];
  }
}

template <class Weight>
void best_cuts_target(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows,
                      std::size_t pass_width, Scratch& scratch, IntegerCut* best) {
  switch (rows.strips.num_lanes) {
    case 4: return best_cuts_lanes<4>(columns, rows, pass_width, scratch, best);
    case 8: return best_cuts_lanes<8>(columns, rows, pass_width, scratch, best);
    default: return best_cuts_lanes<16>(columns, rows, pass_width, scratch, best);
  }
}

void best_cuts_i16(std::span<const CodeColumn> columns, const WeightRows<std::int16_t>& rows,
                   std::size_t pass_width, Scratch& scratch, IntegerCut* best) {
  best_cuts_target(columns, rows, pass_width, scratch, best);
}
void best_cuts_i8(std::span<const CodeColumn> columns, const WeightRows<std::int8_t>& rows,
                  std::size_t pass_width, Scratch& scratch, IntegerCut* best) {
  best_cuts_target(columns, rows, pass_width, scratch, best);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(best_cuts_i16);
HWY_EXPORT(best_cuts_i8);

template <class Weight>
void best_cuts_reference(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows,
                         IntegerCut* best) {
  for (const CodeColumn& column : columns) *best++ = best_cut_reference(column, rows);
}

Scratch& scratch() {
  thread_local const auto scratch = std::make_unique<Scratch>();  // of zeros
  return *scratch;
}

}  // namespace

void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int16_t>& rows,
               std::size_t pass_width, IntegerCut* best) {
  if (uses_plain_loops()) return best_cuts_reference(columns, rows, best);
  HWY_DYNAMIC_DISPATCH(best_cuts_i16)(columns, rows, pass_width, scratch(), best);
}
void best_cuts(std::span<const CodeColumn> columns, const WeightRows<std::int8_t>& rows,
               std::size_t pass_width, IntegerCut* best) {
  if (uses_plain_loops()) return best_cuts_reference(columns, rows, best);
  HWY_DYNAMIC_DISPATCH(best_cuts_i8)(columns, rows, pass_width, scratch(), best);
}

template <class Weight>
IntegerCut best_cut_reference(const CodeColumn& column, const WeightRows<Weight>& rows) {
  std::vector<std::int64_t> sums(column.num_cuts + 1);  // of each cut, over all lanes
  for (std::size_t strip = 0; strip < rows.strips.num_strips; ++strip)
    for (std::size_t lane = 0; lane < rows.strips.num_lanes; ++lane) {
      std::vector<std::int64_t> of_code(sums.size());
      std::int64_t edge = 0;  // above less below; all rows are above cut 0
      for (std::size_t r = 0; r < rows.num_rows; ++r) {
        const std::int64_t weight = rows.weights[rows.strips.at(strip, r, rows.num_rows) + lane];
        of_code[column.codes[r]] += weight;
        edge += weight;
      }
      for (std::size_t cut = 0; cut < sums.size(); ++cut) {
        sums[cut] += std::abs(edge);
        edge -= 2 * of_code[cut];
      }
    }
  const auto best = std::max_element(sums.begin(), sums.end());  // the first among equals
  return {std::uint32_t(best - sums.begin()), *best};
}
template IntegerCut best_cut_reference(const CodeColumn&, const WeightRows<std::int16_t>&);
template IntegerCut best_cut_reference(const CodeColumn&, const WeightRows<std::int8_t>&);

}  // namespace mash
#endif
