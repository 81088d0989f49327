// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/micro_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "framework/base/progress.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/bench/micro_kernels.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#ifndef MASH_MICRO_KERNELS  // this file is read once for each instruction set
#define MASH_MICRO_KERNELS
namespace mash::bench {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kBinsOfColumn = kNumCodes * kLanes;
constexpr std::size_t kBatch = 16;      // features that go over a block of rows before the next
constexpr std::uint32_t kBlock = 8192;  // rows of sums in 32 bits, which always fit

// Sums of each column's codes; `narrow` is zero but within a call.
struct Sums {
  explicit Sums(std::size_t num_columns)
      : wide(num_columns * kBinsOfColumn), narrow(num_columns * kBinsOfColumn) {}
  AlignedVector<std::int32_t> wide;
  AlignedVector<std::int16_t> narrow;
};

enum class SumBits { k16, k32 };
// How codes are read: one by one, or eight in a word.
enum class Reading { kBytes, kWords };

// One way to write the loop.
struct Way {
  SumBits bits;
  Reading reading;
  std::size_t num_features;  // that share a pass over the weights: 1, 2 or 4
};

}  // namespace
}  // namespace mash::bench
#endif

HWY_BEFORE_NAMESPACE();
namespace mash::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class Integer>
hn::Vec<D> load(D d, const Integer* from) {
  if constexpr (sizeof(Integer) == sizeof(hn::TFromD<D>))
    return hn::Load(d, from);
  else
    return hn::PromoteTo(d, hn::Load(hn::Rebind<Integer, D>(), from));
}

template <std::size_t kFeatures, class Sum, class Weight>
HWY_INLINE void add_row(const Weight* HWY_RESTRICT row, const std::size_t (&codes)[kFeatures],
                        Sum* HWY_RESTRICT sums) {
  const hn::CappedTag<Sum, kLanes> d;
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const auto weights = load(d, row + lane);
    for (std::size_t g = 0; g < kFeatures; ++g) {
      Sum* bin = sums + g * kBinsOfColumn + codes[g] * kLanes + lane;
      hn::Store(hn::Add(hn::Load(d, bin), weights), d, bin);
    }
  }
}

template <std::size_t kFeatures, Reading kReading, class Sum, class Weight>
HWY_NOINLINE void add_rows(const CodeColumn* columns, const Weight* HWY_RESTRICT weights, std::size_t begin,
                           std::size_t end, Sum* HWY_RESTRICT sums) {
  const std::uint8_t* codes[kFeatures];
  for (std::size_t g = 0; g < kFeatures; ++g) codes[g] = columns[g].codes;
  std::size_t r = begin, of_row[kFeatures];
  if constexpr (kReading == Reading::kWords)
    for (; r + 8 <= end; r += 8) {
      std::uint64_t words[kFeatures];
      for (std::size_t g = 0; g < kFeatures; ++g) std::memcpy(&words[g], codes[g] + r, 8);
#pragma GCC unroll 8
      for (std::size_t i = 0; i < 8; ++i) {
        for (std::size_t g = 0; g < kFeatures; ++g) of_row[g] = words[g] >> (8 * i) & 0xff;
        add_row(weights + (r + i) * kLanes, of_row, sums);
      }
    }
  for (; r < end; ++r) {
    for (std::size_t g = 0; g < kFeatures; ++g) of_row[g] = codes[g][r];
    add_row(weights + r * kLanes, of_row, sums);
  }
}

HWY_NOINLINE void widen(std::int16_t* HWY_RESTRICT narrow, std::int32_t* HWY_RESTRICT wide) {
  const hn::CappedTag<std::int32_t, kLanes> d;
  const hn::Rebind<std::int16_t, decltype(d)> d16;
  for (std::size_t i = 0; i < kBinsOfColumn; i += hn::Lanes(d)) {
    hn::Store(hn::Add(hn::Load(d, wide + i), load(d, narrow + i)), d, wide + i);
    hn::Store(hn::Zero(d16), d16, narrow + i);
  }
}

template <std::size_t kFeatures, SumBits kBits, Reading kReading, class Weight>
void add_block(std::span<const CodeColumn> columns, const Weight* weights, std::size_t begin, std::size_t end,
               std::size_t first, Sums& sums) {
  for (std::size_t i = first; i < first + kBatch; i += kFeatures) {
    std::int32_t* wide = sums.wide.data() + i * kBinsOfColumn;
    if constexpr (kBits == SumBits::k32) {
      add_rows<kFeatures, kReading>(&columns[i], weights, begin, end, wide);
    } else {
      std::int16_t* narrow = sums.narrow.data() + i * kBinsOfColumn;
      add_rows<kFeatures, kReading>(&columns[i], weights, begin, end, narrow);
      for (std::size_t g = 0; g < kFeatures; ++g) widen(narrow + g * kBinsOfColumn, wide + g * kBinsOfColumn);
    }
  }
}

// Sums in 32 bits go over blocks of kBlock rows. Those in 16 bits go over as many blocks of `rows` as are
// sure to fit together, and are then moved to 32 bits.
template <std::size_t kFeatures, SumBits kBits, Reading kReading, class Weight>
void add_all(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows, Sums& sums) {
  for (std::size_t first = 0; first < columns.size(); first += kBatch) {
    std::fill_n(sums.wide.data() + first * kBinsOfColumn, kBatch * kBinsOfColumn, 0);
    if constexpr (kBits == SumBits::k32) {
      for (std::size_t begin = 0; begin < rows.num_rows; begin += kBlock)
        add_block<kFeatures, kBits, kReading>(
            columns, rows.weights, begin, std::min<std::size_t>(begin + kBlock, rows.num_rows), first, sums);
    } else {
      std::size_t begin = 0;
      for (std::size_t b = 0, last = 0; b < rows.blocks.size(); b = last) {
        for (std::int32_t sum = 0; last < rows.blocks.size() && sum + rows.blocks[last].sum <= 32767; ++last)
          sum += rows.blocks[last].sum;
        add_block<kFeatures, kBits, kReading>(columns, rows.weights, begin, rows.blocks[last - 1].end, first,
                                              sums);
        begin = rows.blocks[last - 1].end;
      }
    }
  }
}

template <SumBits kBits, Reading kReading, class Weight>
void add_all(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows, std::size_t num_features,
             Sums& sums) {
  if (num_features == 1) return add_all<1, kBits, kReading>(columns, rows, sums);
  if (num_features == 2) return add_all<2, kBits, kReading>(columns, rows, sums);
  add_all<4, kBits, kReading>(columns, rows, sums);
}

template <class Weight>
void add_all(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows, const Way& way,
             Sums& sums) {
  using enum SumBits;
  using enum Reading;
  if (way.bits == k16 && way.reading == kBytes)
    add_all<k16, kBytes>(columns, rows, way.num_features, sums);
  else if (way.bits == k16)
    add_all<k16, kWords>(columns, rows, way.num_features, sums);
  else if (way.reading == kBytes)
    add_all<k32, kBytes>(columns, rows, way.num_features, sums);
  else
    add_all<k32, kWords>(columns, rows, way.num_features, sums);
}

void add_i16(std::span<const CodeColumn> columns, const WeightRows<std::int16_t>& rows, const Way& way,
             Sums& sums) {
  add_all(columns, rows, way, sums);
}
void add_i8(std::span<const CodeColumn> columns, const WeightRows<std::int8_t>& rows, const Way& way,
            Sums& sums) {
  add_all(columns, rows, way, sums);
}

}  // namespace mash::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash::bench {
namespace {

HWY_EXPORT(add_i16);
HWY_EXPORT(add_i8);

void add(std::span<const CodeColumn> columns, const WeightRows<std::int16_t>& rows, const Way& way,
         Sums& sums) {
  HWY_DYNAMIC_DISPATCH(add_i16)(columns, rows, way, sums);
}
void add(std::span<const CodeColumn> columns, const WeightRows<std::int8_t>& rows, const Way& way,
         Sums& sums) {
  HWY_DYNAMIC_DISPATCH(add_i8)(columns, rows, way, sums);
}

std::string name_of(const Way& way) {
  return fmt::format("sums of {} bits, codes by {}, {} features a pass", way.bits == SumBits::k16 ? 16 : 32,
                     way.reading == Reading::kBytes ? "bytes" : "words", way.num_features);
}

template <class Weight>
std::vector<std::int32_t> plain_sums(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows) {
  std::vector<std::int32_t> sums(columns.size() * kBinsOfColumn);
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t r = 0; r < rows.num_rows; ++r)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        sums[i * kBinsOfColumn + columns[i].codes[r] * kLanes + lane] += rows.weights[r * kLanes + lane];
  return sums;
}

template <class Weight>
std::vector<MicroKernel> time_all(std::span<const CodeColumn> columns, const WeightRows<Weight>& rows) {
  const std::vector<std::int32_t> expected = plain_sums(columns, rows);
  const double num_pairs = double(columns.size()) * double(rows.num_rows);
  std::vector<MicroKernel> kernels;
  Sums sums(columns.size());
  for (const SumBits bits : {SumBits::k16, SumBits::k32})
    for (const Reading reading : {Reading::kBytes, Reading::kWords})
      for (const std::size_t num_features : {1, 2, 4}) {
        const Way way{bits, reading, num_features};
        double best = std::numeric_limits<double>::infinity();
        for (int repeat = 0; repeat < 10; ++repeat) {
          const Stopwatch watch;
          add(columns, rows, way, sums);
          best = std::min(best, watch.seconds());
        }
        kernels.push_back({name_of(way), num_pairs / best,
                           std::equal(expected.begin(), expected.end(), sums.wide.begin())});
      }
  return kernels;
}

}  // namespace

std::vector<MicroKernel> time_micro_kernels(std::span<const CodeColumn> columns,
                                            const WeightRows<std::int16_t>& rows) {
  return time_all(columns, rows);
}
std::vector<MicroKernel> time_micro_kernels(std::span<const CodeColumn> columns,
                                            const WeightRows<std::int8_t>& rows) {
  return time_all(columns, rows);
}

}  // namespace mash::bench
#endif
