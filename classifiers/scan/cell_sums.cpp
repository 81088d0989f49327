// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/cell_sums.hpp"

#include "classifiers/scan/fetch_ahead.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/scan/cell_sums.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// sum += sign * row for kWidth numbers.
template <std::size_t kWidth>
HWY_INLINE void add(double* HWY_RESTRICT sum, const double* HWY_RESTRICT row, double sign) {
  constexpr hn::CappedTag<double, kWidth> d;
  for (std::size_t lane = 0; lane < kWidth; lane += hn::Lanes(d)) {
    const auto weights = hn::Mul(hn::LoadU(d, row + lane), hn::Set(d, sign));
    hn::StoreU(hn::Add(hn::LoadU(d, sum + lane), weights), d, sum + lane);
  }
}

void add_to_cells(const CellRows& rows, double* HWY_RESTRICT sums) {
  const std::size_t num_classes = rows.num_classes;
  for (std::size_t n = 0; n < rows.cells.size(); ++n) {
    const double* row = &rows.weights[(rows.rows.empty() ? n : rows.rows[n]) * num_classes];
    double* sum = sums + rows.cells[n] * num_classes;
    const double sign = !rows.negated.empty() && rows.negated[n] != 0 ? -1 : 1;
    std::size_t l = 0;
    if (rows.rows.empty()) fetch_ahead(row, num_classes);
    for (; l + 8 <= num_classes; l += 8) add<8>(sum + l, row + l, sign);
    if (num_classes & 4) add<4>(sum + l, row + l, sign), l += 4;
    if (num_classes & 2) add<2>(sum + l, row + l, sign), l += 2;
    if (num_classes & 1) add<1>(sum + l, row + l, sign);
  }
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(add_to_cells);

}  // namespace

void add_to_cells(const CellRows& rows, double* sums) { HWY_DYNAMIC_DISPATCH(add_to_cells)(rows, sums); }

void add_to_cells_reference(const CellRows& rows, double* sums) {
  for (std::size_t n = 0; n < rows.cells.size(); ++n) {
    const std::size_t row = rows.rows.empty() ? n : rows.rows[n];
    for (std::size_t l = 0; l < rows.num_classes; ++l) {
      const double weight = rows.weights[row * rows.num_classes + l];
      sums[rows.cells[n] * rows.num_classes + l] +=
          rows.negated.empty() || rows.negated[n] == 0 ? weight : -weight;
    }
  }
}

}  // namespace mash
#endif
