// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/table_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/model/table_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// sums += row for kWidth numbers.
template <std::size_t kWidth, class Number>
HWY_INLINE void add(Number* HWY_RESTRICT sums, const Number* HWY_RESTRICT row) {
  constexpr hn::CappedTag<Number, kWidth> d;
  for (std::size_t lane = 0; lane < kWidth; lane += hn::Lanes(d))
    hn::StoreU(hn::Add(hn::LoadU(d, sums + lane), hn::LoadU(d, row + lane)), d, sums + lane);
}

template <class Number>
void add_rows(std::span<const std::uint8_t> cells, const Number* HWY_RESTRICT table, std::size_t row_size,
              Number* HWY_RESTRICT sums) {
  for (std::size_t n = 0; n < cells.size(); ++n, sums += row_size) {
    const Number* row = table + cells[n] * row_size;
    std::size_t l = 0;
    for (; l + 8 <= row_size; l += 8) add<8>(sums + l, row + l);
    if (row_size & 4) add<4>(sums + l, row + l), l += 4;
    if (row_size & 2) add<2>(sums + l, row + l), l += 2;
    if (row_size & 1) add<1>(sums + l, row + l);
  }
}

void add_double_rows(std::span<const std::uint8_t> cells, const double* table, std::size_t row_size,
                     double* sums) {
  add_rows(cells, table, row_size, sums);
}
void add_float_rows(std::span<const std::uint8_t> cells, const float* table, std::size_t row_size,
                    float* sums) {
  add_rows(cells, table, row_size, sums);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(add_double_rows);
HWY_EXPORT(add_float_rows);

}  // namespace

void add_table_rows(std::span<const std::uint8_t> cells, std::span<const double> table, std::size_t row_size,
                    double* sums) {
  HWY_DYNAMIC_DISPATCH(add_double_rows)(cells, table.data(), row_size, sums);
}
void add_table_rows(std::span<const std::uint8_t> cells, std::span<const float> table, std::size_t row_size,
                    float* sums) {
  HWY_DYNAMIC_DISPATCH(add_float_rows)(cells, table.data(), row_size, sums);
}

}  // namespace mash
#endif
