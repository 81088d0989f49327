// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/cell_sums.hpp"

#include <array>

#include "classifiers/scan/kernels/fetch_ahead.hpp"
#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/scan/kernels/cell_sums.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The sums of the cell that a row is added to, in each column.
template <std::size_t kColumns>
using Destinations = std::array<double*, kColumns>;

// Each sum[first + i] += sign * row[first + i], for kWidth numbers.
template <std::size_t kWidth, std::size_t kColumns>
HWY_INLINE void add(const Destinations<kColumns>& sums, const double* HWY_RESTRICT row, std::size_t first,
                    double sign) {
  constexpr hn::CappedTag<double, kWidth> d;
  for (std::size_t lane = first; lane < first + kWidth; lane += hn::Lanes(d)) {
    const auto weights = hn::Mul(hn::LoadU(d, row + lane), hn::Set(d, sign));
    for (double* sum : sums) hn::StoreU(hn::Add(hn::LoadU(d, sum + lane), weights), d, sum + lane);
  }
}

template <std::size_t kColumns>
HWY_INLINE void add_to_columns(const SummedRows& rows, const ColumnSums* columns) {
  const std::size_t num_classes = rows.num_classes;
  for (std::size_t n = 0; n < rows.num_rows; ++n) {
    const double* row = &rows.weights[(rows.rows.empty() ? n : rows.rows[n]) * num_classes];
    Destinations<kColumns> sums;
    for (std::size_t c = 0; c < kColumns; ++c) sums[c] = columns[c].sums + columns[c].cells[n] * num_classes;
    const double sign = !rows.negated.empty() && rows.negated[n] != 0 ? -1 : 1;
    std::size_t l = 0;
    if (rows.rows.empty()) fetch_ahead(row, num_classes);
    for (; l + 8 <= num_classes; l += 8) add<8>(sums, row, l, sign);
    if (num_classes & 4) add<4>(sums, row, l, sign), l += 4;
    if (num_classes & 2) add<2>(sums, row, l, sign), l += 2;
    if (num_classes & 1) add<1>(sums, row, l, sign);
  }
}

void add_to_cells(const SummedRows& rows, std::span<const ColumnSums> columns) {
  std::size_t c = 0;
  for (; c + 2 <= columns.size(); c += 2) add_to_columns<2>(rows, &columns[c]);
  if (c < columns.size()) add_to_columns<1>(rows, &columns[c]);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(add_to_cells);

}  // namespace

void add_to_cells(const SummedRows& rows, std::span<const ColumnSums> columns) {
  if (uses_plain_loops()) {
    for (const ColumnSums& column : columns) add_to_cells_reference(rows, column);
    return;
  }
  HWY_DYNAMIC_DISPATCH(add_to_cells)(rows, columns);
}

void add_to_cells_reference(const SummedRows& rows, const ColumnSums& column) {
  for (std::size_t n = 0; n < rows.num_rows; ++n) {
    const std::size_t row = rows.rows.empty() ? n : rows.rows[n];
    for (std::size_t l = 0; l < rows.num_classes; ++l) {
      const double weight = rows.weights[row * rows.num_classes + l];
      column.sums[column.cells[n] * rows.num_classes + l] +=
          rows.negated.empty() || rows.negated[n] == 0 ? weight : -weight;
    }
  }
}

}  // namespace mash
#endif
