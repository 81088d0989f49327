// SPDX-License-Identifier: Apache-2.0
#include "classifiers/boosters/table_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/boosters/table_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Adds kWidth numbers, from the first-th on, of row n of each table.
template <std::size_t kWidth>
HWY_INLINE void add(std::span<const TableRows> tables, std::size_t n, std::size_t first, std::size_t row_size,
                    double* HWY_RESTRICT sums) {
  constexpr hn::CappedTag<double, kWidth> d;
  for (std::size_t lane = first; lane < first + kWidth; lane += hn::Lanes(d)) {
    auto sum = hn::LoadU(d, sums + lane);
    for (const TableRows& table : tables)
      sum = hn::Add(sum, hn::LoadU(d, &table.rows[table.cells[n] * row_size + lane]));
    hn::StoreU(sum, d, sums + lane);
  }
}

void add_rows(std::span<const TableRows> tables, std::size_t num_examples, std::size_t row_size,
              double* HWY_RESTRICT sums) {
  for (std::size_t n = 0; n < num_examples; ++n, sums += row_size) {
    std::size_t l = 0;
    for (; l + 8 <= row_size; l += 8) add<8>(tables, n, l, row_size, sums);
    if (row_size & 4) add<4>(tables, n, l, row_size, sums), l += 4;
    if (row_size & 2) add<2>(tables, n, l, row_size, sums), l += 2;
    if (row_size & 1) add<1>(tables, n, l, row_size, sums);
  }
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(add_rows);

}  // namespace

void add_table_rows(std::span<const TableRows> tables, std::size_t num_examples, std::size_t row_size,
                    double* sums) {
  HWY_DYNAMIC_DISPATCH(add_rows)(tables, num_examples, row_size, sums);
}

}  // namespace mash
#endif
