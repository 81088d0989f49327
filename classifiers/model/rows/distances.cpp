// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/rows/distances.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/model/rows/pair_terms.hpp"
#include "framework/base/elementary.hpp"
#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/model/rows/distances.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Sums of codes in 32 bits do not overflow within as many columns, those of values in floats lose little.
constexpr std::size_t kColumnsOfCodes = 1 << 16, kColumnsOfValues = 512;
constexpr std::size_t kLanes = 16;      // column i of a block of values is added to lane i % kLanes
constexpr std::size_t kRowsAtOnce = 4;  // for which the numbers of a query are in registers

using D16 = hn::ScalableTag<std::int16_t>;
using D32 = hn::Repartition<std::int32_t, D16>;
using DFloat = hn::CappedTag<float, kLanes>;

// The order of additions, which the plain loops share.
inline double sum_of_lanes(const float* lanes) {
  double sums[4];
  for (std::size_t i = 0; i < 4; ++i)
    sums[i] = (double(lanes[i]) + double(lanes[i + 4])) + (double(lanes[i + 8]) + double(lanes[i + 12]));
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <PairTerm kTerm, class V>
HWY_INLINE V term_of(V a, V b) {
  if constexpr (kTerm == PairTerm::kProduct) return hn::Mul(a, b);
  const V difference = hn::Sub(a, b);
  return kTerm == PairTerm::kSquare ? hn::Mul(difference, difference) : hn::Abs(difference);
}
template <PairTerm kTerm>
HWY_INLINE float term_of(float a, float b) {
  if constexpr (kTerm == PairTerm::kProduct) return a * b;
  const float difference = a - b;
  return kTerm == PairTerm::kSquare ? difference * difference : std::abs(difference);
}

// Adds the sums over columns [0, size) of a query and some rows, one width behind the other.
template <PairTerm kTerm, std::size_t kRows>
HWY_INLINE void add_code_sums(const std::uint8_t* query, const std::uint8_t* rows, std::size_t width,
                              std::size_t size, double* out) {
  const hn::Rebind<std::uint8_t, D16> d8;
  const std::size_t step = hn::Lanes(D16()), whole = size / step * step;
  hn::Vec<D32> sums[kRows], others[kRows];
  for (std::size_t r = 0; r < kRows; ++r) sums[r] = others[r] = hn::Zero(D32());
  const auto ones = hn::Set(D16(), 1);
  for (std::size_t i = 0; i < whole; i += step) {
    const auto asked = hn::PromoteTo(D16(), hn::LoadU(d8, query + i));
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto code = hn::PromoteTo(D16(), hn::LoadU(d8, rows + r * width + i));
      const auto difference = hn::Sub(asked, code);
      if constexpr (kTerm == PairTerm::kProduct)
        sums[r] = hn::ReorderWidenMulAccumulate(D32(), asked, code, sums[r], others[r]);
      else if constexpr (kTerm == PairTerm::kSquare)
        sums[r] = hn::ReorderWidenMulAccumulate(D32(), difference, difference, sums[r], others[r]);
      else
        sums[r] = hn::ReorderWidenMulAccumulate(D32(), hn::Abs(difference), ones, sums[r], others[r]);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    std::int64_t sum = 0;
    HWY_ALIGN std::int32_t lanes[HWY_MAX_BYTES / sizeof(std::int32_t)];
    const hn::Vec<D32> parts[] = {sums[r], others[r]};
    for (const auto& part : parts) {
      hn::Store(part, D32(), lanes);
      for (std::size_t i = 0; i < hn::Lanes(D32()); ++i) sum += lanes[i];
    }
    for (std::size_t i = whole; i < size; ++i) {
      sum += std::int64_t(term_of<kTerm>(float(query[i]), float(rows[r * width + i])));
    }
    out[r] += double(sum);
  }
}

template <PairTerm kTerm, std::size_t kRows>
HWY_INLINE void add_value_sums(const float* query, const float* rows, std::size_t width, std::size_t size,
                               double* out) {
  constexpr std::size_t kWidth = hn::MaxLanes(DFloat()), kVectors = kLanes / kWidth;
  const std::size_t whole = size / kLanes * kLanes;
  hn::Vec<DFloat> sums[kRows][kVectors];
  for (auto& of_row : sums)
    for (auto& sum : of_row) sum = hn::Zero(DFloat());
  for (std::size_t first = 0; first < whole; first += kLanes)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t i = first + v * kWidth;
      const auto asked = hn::LoadU(DFloat(), query + i);
      for (std::size_t r = 0; r < kRows; ++r)
        sums[r][v] = hn::Add(sums[r][v], term_of<kTerm>(asked, hn::LoadU(DFloat(), rows + r * width + i)));
    }
  for (std::size_t r = 0; r < kRows; ++r) {
    float lanes[kLanes];
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[r][v], DFloat(), lanes + v * kWidth);
    for (std::size_t i = whole; i < size; ++i)
      lanes[i - whole] += term_of<kTerm>(query[i], rows[r * width + i]);
    out[r] += sum_of_lanes(lanes);
  }
}

template <PairTerm kTerm, std::size_t kRows>
HWY_INLINE void add_sums(const std::uint8_t* query, const std::uint8_t* rows, std::size_t width,
                         std::size_t size, double* out) {
  add_code_sums<kTerm, kRows>(query, rows, width, size, out);
}
template <PairTerm kTerm, std::size_t kRows>
HWY_INLINE void add_sums(const float* query, const float* rows, std::size_t width, std::size_t size,
                         double* out) {
  add_value_sums<kTerm, kRows>(query, rows, width, size, out);
}

template <PairTerm kTerm, class Number>
HWY_INLINE void add_all_pairs(const PairBlock<Number>& block, double* out) {
  constexpr std::size_t kColumns = sizeof(Number) == 1 ? kColumnsOfCodes : kColumnsOfValues;
  const std::size_t width = block.width, num_rows = block.num_rows;
  std::fill_n(out, block.num_queries * num_rows, 0.0);
  for (std::size_t begin = 0; begin < width; begin += kColumns) {
    const std::size_t size = std::min(kColumns, width - begin);
    for (std::size_t b = 0; b < num_rows; b += kRowsAtOnce)
      for (std::size_t a = 0; a < block.num_queries; ++a) {
        const Number *query = block.queries + a * width + begin, *row = block.rows + b * width + begin;
        double* to = out + a * num_rows + b;
        if (b + kRowsAtOnce <= num_rows)
          add_sums<kTerm, kRowsAtOnce>(query, row, width, size, to);
        else
          for (std::size_t r = 0; b + r < num_rows; ++r)
            add_sums<kTerm, 1>(query, row + r * width, width, size, to + r);
      }
  }
}

template <class Number>
HWY_INLINE void all_terms(PairTerm term, const PairBlock<Number>& block, double* out) {
  switch (term) {
    case PairTerm::kSize: return add_all_pairs<PairTerm::kSize>(block, out);
    case PairTerm::kSquare: return add_all_pairs<PairTerm::kSquare>(block, out);
    case PairTerm::kProduct: return add_all_pairs<PairTerm::kProduct>(block, out);
  }
}
void pairs_of_codes(PairTerm term, const PairBlock<std::uint8_t>& block, double* out) {
  all_terms(term, block, out);
}
void pairs_of_values(PairTerm term, const PairBlock<float>& block, double* out) {
  all_terms(term, block, out);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(pairs_of_codes);
HWY_EXPORT(pairs_of_values);

// |x|^power, with the same bits on all machines.
double power_of(double x, double power) {
  const double size = std::abs(x);
  return size > 0 ? stable_exp(power * stable_log(size)) : 0;
}

template <class Number>
PairBlock<Number> block_of(const std::vector<Number>& queries, const RowRange& of_queries,
                           const std::vector<Number>& rows, const RowRange& of_rows, std::size_t width) {
  return {queries.data() + of_queries.first * width, of_queries.count, rows.data() + of_rows.first * width,
          of_rows.count, width};
}

// The sums of term(a, b) over the columns, in the order of the vectors.
template <class Number, class Term>
void plain_pairs(const PairBlock<Number>& block, const Term& term, double* out) {
  constexpr std::size_t kColumns =
      sizeof(Number) == 1 ? HWY_NAMESPACE::kColumnsOfCodes : HWY_NAMESPACE::kColumnsOfValues;
  for (std::size_t a = 0; a < block.num_queries; ++a)
    for (std::size_t b = 0; b < block.num_rows; ++b) {
      const Number *query = block.queries + a * block.width, *row = block.rows + b * block.width;
      double sum = 0;
      for (std::size_t begin = 0; begin < block.width; begin += kColumns) {
        const std::size_t end = std::min(block.width, begin + kColumns);
        if constexpr (sizeof(Number) == 1) {
          for (std::size_t i = begin; i < end; ++i) sum += term(double(query[i]), double(row[i]));
        } else {
          float lanes[HWY_NAMESPACE::kLanes] = {};
          for (std::size_t i = begin; i < end; ++i)
            lanes[(i - begin) % HWY_NAMESPACE::kLanes] += float(term(double(query[i]), double(row[i])));
          sum += HWY_NAMESPACE::sum_of_lanes(lanes);
        }
      }
      out[a * block.num_rows + b] = sum;
    }
}

// In single precision, as vectors of values have it.
double plain_term(PairTerm term, double a, double b, bool is_float) {
  if (term == PairTerm::kProduct) return a * b;
  const double difference = is_float ? double(float(a) - float(b)) : a - b;
  return term == PairTerm::kSquare ? difference * difference : std::abs(difference);
}

void sum_pairs(PairTerm term, const PairBlock<std::uint8_t>& block, double* out) {
  if (!uses_plain_loops()) return HWY_DYNAMIC_DISPATCH(pairs_of_codes)(term, block, out);
  plain_pairs(
      block, [&](double a, double b) { return plain_term(term, a, b, false); }, out);
}
void sum_pairs(PairTerm term, const PairBlock<float>& block, double* out) {
  if (!uses_plain_loops()) return HWY_DYNAMIC_DISPATCH(pairs_of_values)(term, block, out);
  plain_pairs(
      block, [&](double a, double b) { return plain_term(term, a, b, true); }, out);
}

// Calls use(block) with the numbers of either kind.
template <class Use>
void with_block(const NumberRows& queries, const RowRange& of_queries, const NumberRows& rows,
                const RowRange& of_rows, const Use& use) {
  if (rows.are_codes())
    use(block_of(queries.codes, of_queries, rows.codes, of_rows, rows.num_columns));
  else
    use(block_of(queries.values, of_queries, rows.values, of_rows, rows.num_columns));
}

}  // namespace

void add_rows(std::span<const float> numbers, bool are_codes, NumberRows& rows) {
  if (are_codes)
    for (const float number : numbers) rows.codes.push_back(std::uint8_t(number));
  else
    rows.values.insert(rows.values.end(), numbers.begin(), numbers.end());
}

void power_distances(const NumberRows& queries, const RowRange& of_queries, const NumberRows& rows,
                     const RowRange& of_rows, double power, double* out) {
  with_block(queries, of_queries, rows, of_rows, [&](const auto& block) {
    if (power == 1 || power == 2)
      sum_pairs(power == 1 ? PairTerm::kSize : PairTerm::kSquare, block, out);
    else
      plain_pairs(
          block, [&](double a, double b) { return power_of(a - b, power); }, out);
  });
}

void dot_products(const NumberRows& queries, const RowRange& of_queries, const NumberRows& rows,
                  const RowRange& of_rows, double* out) {
  with_block(queries, of_queries, rows, of_rows,
             [&](const auto& block) { sum_pairs(PairTerm::kProduct, block, out); });
}

}  // namespace mash
#endif
