// SPDX-License-Identifier: Apache-2.0
#include "classifiers/reservoir/edge_covariance.hpp"

#include <hwy/aligned_allocator.h>

#include <array>
#include <cstring>
#include <memory>

#include "framework/base/instruction_set.hpp"
#include "framework/base/require.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/reservoir/edge_covariance.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The sums of rows i .. i + kTile - 1 with rows j and j + 1: what is loaded is used several times.
HWY_INLINE void add_tile(const ByteRows& rows, std::size_t i, std::size_t j,
                         std::uint32_t* HWY_RESTRICT sums) {
  constexpr std::size_t kTile = ByteRows::kTile;
  const hn::CappedTag<std::uint8_t, ByteRows::kBlock> d;
  const hn::Repartition<std::uint64_t, decltype(d)> d64;
  hn::Vec<decltype(d64)> first[kTile], second[kTile];
  for (std::size_t t = 0; t < kTile; ++t) first[t] = second[t] = hn::Zero(d64);
  const std::uint8_t* HWY_RESTRICT left = rows.bytes + i * rows.row_size;
  const std::uint8_t* HWY_RESTRICT right = rows.bytes + j * rows.row_size;
  for (std::size_t k = 0; k < rows.row_size; k += hn::Lanes(d)) {
    const auto right_1 = hn::LoadU(d, right + k), right_2 = hn::LoadU(d, right + rows.row_size + k);
    for (std::size_t t = 0; t < kTile; ++t) {
      const auto bytes = hn::LoadU(d, left + t * rows.row_size + k);
      first[t] = hn::Add(first[t], hn::SumsOf8(hn::Min(bytes, right_1)));
      second[t] = hn::Add(second[t], hn::SumsOf8(hn::Min(bytes, right_2)));
    }
  }
  for (std::size_t t = 0; t < kTile; ++t) {
    std::uint32_t* out = sums + (i + t) * rows.num_rows + j;
    out[0] = std::uint32_t(hn::GetLane(hn::SumOfLanes(d64, first[t])));
    out[1] = std::uint32_t(hn::GetLane(hn::SumOfLanes(d64, second[t])));
  }
}

void sums_of_minima(const ByteRows& rows, std::uint32_t* HWY_RESTRICT sums) {
  constexpr std::size_t kRowsInCache = 32;  // of about a thousand bytes, in the first-level cache
  for (std::size_t begin = 0; begin < rows.num_rows; begin += kRowsInCache) {
    const std::size_t end = HWY_MIN(begin + kRowsInCache, rows.num_rows);
    for (std::size_t i = 0; i < end; i += ByteRows::kTile)
      for (std::size_t j = HWY_MAX(begin, i); j < end; j += 2) add_tile(rows, i, j, sums);
  }
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(sums_of_minima);

constexpr std::size_t round_up(std::size_t count, std::size_t unit) {
  return (count + unit - 1) / unit * unit;
}

// The dense ranks of the features that have several values, a row per example; what fills up is 0.
class RankRows {
 public:
  RankRows(std::span<const std::uint8_t> codes, std::size_t num_examples)
      : num_rows_(round_up(num_examples, ByteRows::kTile)),
        row_size_(round_up(codes.size() / num_examples, ByteRows::kBlock)) {
    // Rows that lie a power of two apart would compete for the same places of the cache.
    if (row_size_ / ByteRows::kBlock % 2 == 0) row_size_ += ByteRows::kBlock;
    ranks_ = hwy::AllocateAligned<std::uint8_t>(num_rows_ * row_size_);
    require(ranks_ != nullptr, "memory for the ranks of a reservoir");
    std::memset(ranks_.get(), 0, num_rows_ * row_size_);
    std::size_t column = 0;
    for (std::size_t begin = 0; begin < codes.size(); begin += num_examples)
      column += add_feature(codes.subspan(begin, num_examples), column);
  }

  ByteRows rows() const { return {ranks_.get(), num_rows_, row_size_}; }
  std::int64_t num_thresholds() const { return num_thresholds_; }

 private:
  // How many columns were written: 0 for a feature of one value.
  std::size_t add_feature(std::span<const std::uint8_t> codes, std::size_t column) {
    std::array<std::uint8_t, 256> is_there{}, rank_of{};
    for (const std::uint8_t code : codes) is_there[code] = 1;
    std::uint8_t next = 0;
    for (std::size_t code = 0; code < is_there.size(); ++code) {
      rank_of[code] = next;
      next = std::uint8_t(next + is_there[code]);
    }
    const auto highest = std::uint8_t(next - 1);  // 255 where all codes are there
    if (highest == 0) return 0;
    num_thresholds_ += highest;
    std::uint8_t* out = ranks_.get() + column;
    for (std::size_t n = 0; n < codes.size(); ++n) out[n * row_size_] = rank_of[codes[n]];
    return 1;
  }

  std::size_t num_rows_, row_size_;
  hwy::AlignedFreeUniquePtr<std::uint8_t[]> ranks_;
  std::int64_t num_thresholds_ = 0;
};

}  // namespace

void sums_of_minima(const ByteRows& rows, std::uint32_t* sums) {
  if (uses_plain_loops()) return sums_of_minima_reference(rows, sums);
  HWY_DYNAMIC_DISPATCH(sums_of_minima)(rows, sums);
}

void sums_of_minima_reference(const ByteRows& rows, std::uint32_t* sums) {
  for (std::size_t i = 0; i < rows.num_rows; ++i)
    for (std::size_t j = i; j < rows.num_rows; ++j) {
      std::uint32_t sum = 0;
      for (std::size_t k = 0; k < rows.row_size; ++k)
        sum += std::min(rows.bytes[i * rows.row_size + k], rows.bytes[j * rows.row_size + k]);
      sums[i * rows.num_rows + j] = sum;
    }
}

SymmetricMatrix edge_covariance(std::span<const std::uint8_t> codes, std::span<const std::int8_t> signs) {
  const std::size_t num_examples = signs.size();
  SymmetricMatrix covariance(num_examples);
  if (num_examples == 0) return covariance;
  require(codes.size() % num_examples == 0, "edge_covariance: a code for each example and feature");
  require(codes.size() / num_examples <= std::size_t(1) << 24, "edge_covariance: at most 2^24 features");
  const RankRows ranks(codes, num_examples);
  const std::int64_t num_thresholds = ranks.num_thresholds();
  if (num_thresholds == 0) return covariance;
  const std::size_t num_rows = ranks.rows().num_rows;
  const auto minima = std::make_unique_for_overwrite<std::uint32_t[]>(num_rows * num_rows);
  sums_of_minima(ranks.rows(), minima.get());
  for (std::size_t i = 0; i < num_examples; ++i)
    for (std::size_t j = i; j < num_examples; ++j) {
      const std::int64_t common = minima[i * num_rows + j];
      const std::int64_t apart =
          minima[i * (num_rows + 1)] + std::int64_t(minima[j * (num_rows + 1)]) - 2 * common;
      const double alike = double(num_thresholds - 2 * apart) / double(num_thresholds);
      covariance.values[i * num_examples + j] = signs[i] == signs[j] ? alike : -alike;
    }
  return covariance;
}

}  // namespace mash
#endif
