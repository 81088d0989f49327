// SPDX-License-Identifier: Apache-2.0
//
// Sums of rows by code, in 16 or 32 bits. Read once for each instruction set, by the source that includes it.
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
template <std::size_t kLanes, std::size_t kFeatures, class Weight, class Sum>
HWY_INLINE void add_row(const Weight* HWY_RESTRICT row, const std::array<std::size_t, kFeatures>& places,
                        Sum* histograms) {
  const hn::CappedTag<Sum, kLanes> d;
  for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    const auto weights = load(d, row + lane);
    for (std::size_t g = 0; g < kFeatures; ++g) {
      Sum* bin = histograms + g * kNumCodes * kLanes + places[g] + lane;
      hn::StoreU(hn::Add(hn::LoadU(d, bin), weights), d, bin);
    }
  }
}

// Adds the rows of the codes in one word of each feature.
template <std::size_t kLanes, std::size_t kFeatures, class Weight, class Sum, std::size_t... kByte>
HWY_INLINE void add_rows(const Weight* HWY_RESTRICT rows, const std::array<std::uint64_t, kFeatures>& words,
                         Sum* histograms, std::index_sequence<kByte...>) {
  const auto add = [&]<std::size_t kOne>() HWY_ATTR {
    std::array<std::size_t, kFeatures> places;
    for (std::size_t g = 0; g < kFeatures; ++g) places[g] = place_of<kLanes, kOne>(words[g]);
    add_row<kLanes>(rows + kOne * kLanes, places, histograms);
  };
  (add.template operator()<kByte>(), ...);
}

// Adds the rows [begin, end) of a group of features; each row's weights are read once. Codes are read eight
// at a time: with a load for each, too few loads a cycle are left for the sums.
template <std::size_t kLanes, std::size_t kFeatures, class Weight, class Sum>
HWY_NOINLINE void accumulate(const CodeColumn* columns, const StripOf<Weight>& strip, std::size_t begin,
                             std::size_t end, Sum* histograms) {
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

// For each byte the places of the bits that are set, from the lowest on; what follows them means nothing.
struct BitPlaces {
  std::uint8_t of[256][8] = {};
  constexpr BitPlaces() {
    for (std::size_t byte = 0; byte < 256; ++byte)
      for (std::size_t bit = 0, n = 0; bit < 8; ++bit)
        if ((byte >> bit & 1) != 0) of[byte][n++] = std::uint8_t(bit);
  }
};
inline constexpr BitPlaces kBitPlaces;

// Rows of a column that are looked through before the weights of those found are read.
constexpr std::size_t kListedAtOnce = 4096;
static_assert(kListedAtOnce <= 1 << 16);
// The last eight bits of a mask write eight places, though none of them may be set.
using RowList = std::array<std::uint16_t, kListedAtOnce + 8>;

// Writes to `list` the places of those of `codes` that are not skip_code; returns how many. A table gives the
// places of eight bits at a time: a loop over single bits waits where it cannot foresee its end. `next`: as
// many codes that are read after these, and asked for now. REQUIRES: num_codes <= kListedAtOnce.
inline std::size_t list_others(const std::uint8_t* HWY_RESTRICT codes, std::size_t num_codes,
                               std::uint32_t skip_code, const std::uint8_t* next, RowList& list) {
  const hn::ScalableTag<std::uint8_t> d8;
  const hn::CappedTag<std::uint16_t, 8> d16;
  const std::size_t width = hn::Lanes(d8);
  const auto skip = hn::Set(d8, std::uint8_t(skip_code));
  const auto eight = hn::Set(d16, 8);
  std::uint16_t* end = list.data();
  const auto look = [&](const std::uint8_t* from, std::size_t r) HWY_ATTR {
    std::uint64_t others = 0;
    hn::StoreMaskBits(d8, hn::Ne(hn::LoadU(d8, from), skip), reinterpret_cast<std::uint8_t*>(&others));
    if (others == 0) return;
    auto first = hn::Set(d16, std::uint16_t(r));
    for (std::size_t bit = 0; bit < width; bit += 8, others >>= 8) {
      const std::uint8_t* places = kBitPlaces.of[others & 0xff];
      for (std::size_t i = 0; i < 8; i += hn::Lanes(d16))
        hn::StoreU(hn::Add(first, load(d16, places + i)), d16, end + i);
      end += std::popcount(others & 0xff);
      first = hn::Add(first, eight);
    }
  };
  std::size_t r = 0;
  for (; r + width <= num_codes; r += width) {
    __builtin_prefetch(next + r);
    look(codes + r, r);
  }
  if (r < num_codes) {
    std::uint8_t last[hn::MaxLanes(d8)];
    hn::StoreU(skip, d8, last);
    std::memcpy(last, codes + r, num_codes - r);
    look(last, r);
  }
  return std::size_t(end - list.data());
}

// Adds only the rows in [begin, end) whose code is not column.skip_code: repeated additions to one bin would
// wait for each other. `next`: a column that is read after this one, in the same rows.
template <std::size_t kLanes, class Weight, class Sum>
HWY_NOINLINE void accumulate_others(const CodeColumn& column, const StripOf<Weight>& strip, std::size_t begin,
                                    std::size_t end, const std::uint8_t* next, Sum* HWY_RESTRICT histogram) {
  const hn::CappedTag<Sum, kLanes> d;
  RowList list;
  for (; begin < end; begin += kListedAtOnce) {
    const std::uint8_t* HWY_RESTRICT codes = column.codes + begin;
    const Weight* HWY_RESTRICT weights = strip.weights + begin * kLanes;
    const auto add = [&](std::size_t r) HWY_ATTR {
      Sum* bin = histogram + codes[r] * kLanes;
      for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d))
        hn::StoreU(hn::Add(hn::LoadU(d, bin + lane), load(d, weights + r * kLanes + lane)), d, bin + lane);
    };
    const std::size_t size =
        list_others(codes, std::min(end - begin, kListedAtOnce), column.skip_code, next + begin, list);
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4) {
      std::uint64_t rows;
      std::memcpy(&rows, &list[i], sizeof(rows));
      add(rows & 0xffff);
      add(rows >> 16 & 0xffff);
      add(rows >> 32 & 0xffff);
      add(rows >> 48);
    }
    for (; i < size; ++i) add(list[i]);
  }
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

// The largest magnitude of some sums; those up to the next multiple of kSumsAtOnce are zero. REQUIRES: none
// is -32768, which has no magnitude in 16 bits.
constexpr std::size_t kSumsAtOnce = 128;
inline std::int32_t largest_magnitude(std::size_t size, const std::int16_t* HWY_RESTRICT sums) {
  const hn::CappedTag<std::int16_t, 32> d;
  constexpr std::size_t kChains = 4;  // comparisons that do not wait for each other
  static_assert(kSumsAtOnce % (kChains * hn::MaxLanes(d)) == 0);
  hn::Vec<decltype(d)> largest[kChains] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  for (std::size_t i = 0; i < size; i += kChains * hn::Lanes(d))
    for (std::size_t c = 0; c < kChains; ++c)
      largest[c] = hn::Max(largest[c], hn::Abs(hn::LoadU(d, sums + i + c * hn::Lanes(d))));
  return hn::GetLane(
      hn::MaxOfLanes(d, hn::Max(hn::Max(largest[0], largest[1]), hn::Max(largest[2], largest[3]))));
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
