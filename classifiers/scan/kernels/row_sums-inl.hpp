// SPDX-License-Identifier: Apache-2.0
//
// Sums of rows by code, in 16 bits. Read once for each instruction set, by the source that includes it.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "classifiers/scan/kernels/histogram.hpp"

#if defined(MASH_ROW_SUMS) == defined(HWY_TARGET_TOGGLE)
#ifdef MASH_ROW_SUMS
#undef MASH_ROW_SUMS
#else
#define MASH_ROW_SUMS
#endif

#include <hwy/highway.h>

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

// Codes that one word holds, the first one in its lowest byte.
constexpr std::size_t kCodesAtOnce = sizeof(std::uint64_t);
static_assert(std::endian::native == std::endian::little);

// Where the sums of the code in byte kByte of a word begin: by one shift and one mask.
template <std::size_t kLanes, std::size_t kByte>
HWY_INLINE std::size_t place_of(std::uint64_t word) {
  constexpr int kLaneBits = std::countr_zero(kLanes), kFirstBit = int(8 * kByte);
  constexpr std::uint64_t kMask = std::uint64_t(0xff) << kLaneBits;
  if constexpr (kFirstBit < kLaneBits)
    return std::size_t(word << (kLaneBits - kFirstBit) & kMask);
  else
    return std::size_t(word >> (kFirstBit - kLaneBits) & kMask);
}

// Adds a row to the sums at one place of each feature of a group.
template <std::size_t kLanes, std::size_t kFeatures, class Weight>
HWY_INLINE void add_row(const Weight* HWY_RESTRICT row, const std::array<std::size_t, kFeatures>& places,
                        std::int16_t* histograms) {
  const D16<kLanes> d;
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const auto weights = load(d, row + lane);
    for (std::size_t g = 0; g < kFeatures; ++g) {
      std::int16_t* bin = histograms + g * kNumCodes * kLanes + places[g] + lane;
      hn::StoreU(hn::Add(hn::LoadU(d, bin), weights), d, bin);
    }
  }
}

// Adds the rows of the codes in one word of each feature.
template <std::size_t kLanes, std::size_t kFeatures, class Weight, std::size_t... kByte>
HWY_INLINE void add_rows(const Weight* HWY_RESTRICT rows, const std::array<std::uint64_t, kFeatures>& words,
                         std::int16_t* histograms, std::index_sequence<kByte...>) {
  const auto add = [&]<std::size_t kOne>() HWY_ATTR {
    std::array<std::size_t, kFeatures> places;
    for (std::size_t g = 0; g < kFeatures; ++g) places[g] = place_of<kLanes, kOne>(words[g]);
    add_row<kLanes>(rows + kOne * kLanes, places, histograms);
  };
  (add.template operator()<kByte>(), ...);
}

// Adds the rows [begin, end) of a group of features; each row's weights are read once. Codes are read eight
// at a time: with a load for each, too few loads a cycle are left for the sums.
template <std::size_t kLanes, std::size_t kFeatures, class Weight>
HWY_NOINLINE void accumulate(const CodeColumn* columns, const StripOf<Weight>& strip, std::size_t begin,
                             std::size_t end, std::int16_t* histograms) {
  const std::uint8_t* codes[kFeatures];
  for (std::size_t g = 0; g < kFeatures; ++g) codes[g] = columns[g].codes;
  std::size_t r = begin;
  for (; r + kCodesAtOnce <= end; r += kCodesAtOnce) {
    std::array<std::uint64_t, kFeatures> words;
    for (std::size_t g = 0; g < kFeatures; ++g) std::memcpy(&words[g], codes[g] + r, sizeof(std::uint64_t));
    add_rows<kLanes>(strip.weights + r * kLanes, words, histograms, std::make_index_sequence<kCodesAtOnce>());
  }
  for (; r < end; ++r) {
    std::array<std::size_t, kFeatures> places;
    for (std::size_t g = 0; g < kFeatures; ++g) places[g] = codes[g][r] * kLanes;
    add_row<kLanes>(strip.weights + r * kLanes, places, histograms);
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

// Moves sums to wider ones: zeros are left.
template <std::size_t kLanes>
void widen(std::size_t size, std::int16_t* HWY_RESTRICT narrow, std::int32_t* HWY_RESTRICT wide) {
  const D32<kLanes> d;
  const hn::Rebind<std::int16_t, D32<kLanes>> d16;
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    hn::StoreU(hn::Add(hn::LoadU(d, wide + i), load(d, narrow + i)), d, wide + i);
    hn::StoreU(hn::Zero(d16), d16, narrow + i);
  }
}

// The largest magnitude of some sums. REQUIRES: none is -32768, which has no magnitude in 16 bits.
template <std::size_t kLanes>
std::int32_t largest_magnitude(std::size_t size, const std::int16_t* HWY_RESTRICT sums) {
  const D16<kLanes> d;
  auto largest = hn::Zero(d);
  for (std::size_t i = 0; i < size; i += hn::Lanes(d))
    largest = hn::Max(largest, hn::Abs(hn::LoadU(d, sums + i)));
  std::int16_t lanes[kLanes] = {};
  hn::StoreU(largest, d, lanes);
  return *std::max_element(lanes, lanes + kLanes);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
