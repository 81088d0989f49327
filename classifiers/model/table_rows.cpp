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
template <std::size_t kWidth>
HWY_INLINE void add(double* HWY_RESTRICT sums, const double* HWY_RESTRICT row) {
  constexpr hn::CappedTag<double, kWidth> d;
  for (std::size_t lane = 0; lane < kWidth; lane += hn::Lanes(d))
    hn::StoreU(hn::Add(hn::LoadU(d, sums + lane), hn::LoadU(d, row + lane)), d, sums + lane);
}

void add_rows(std::span<const std::uint8_t> cells, const double* HWY_RESTRICT table, std::size_t row_size,
              double* HWY_RESTRICT sums) {
  for (std::size_t n = 0; n < cells.size(); ++n, sums += row_size) {
    const double* row = table + cells[n] * row_size;
    std::size_t l = 0;
    for (; l + 8 <= row_size; l += 8) add<8>(sums + l, row + l);
    if (row_size & 4) add<4>(sums + l, row + l), l += 4;
    if (row_size & 2) add<2>(sums + l, row + l), l += 2;
    if (row_size & 1) add<1>(sums + l, row + l);
  }
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(add_rows);

}  // namespace

void add_table_rows(std::span<const std::uint8_t> cells, std::span<const double> table, std::size_t row_size,
                    double* sums) {
  HWY_DYNAMIC_DISPATCH(add_rows)(cells, table.data(), row_size, sums);
}

}  // namespace mash
#endif
