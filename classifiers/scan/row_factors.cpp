// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/row_factors.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/scan/row_factors.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Eight numbers, in as many vectors as the instruction set needs for them.
constexpr std::size_t kWidth = 8;
using D = hn::CappedTag<double, kWidth>;

// The sum of a vector's lanes: the upper half is added to the lower until one is left.
template <class Half>
double folded([[maybe_unused]] Half d, hn::Vec<Half> v) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(Half()) > 1) {
    const hn::Half<Half> half;
    return folded(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
#endif
  return hn::GetLane(v);
}

// row *= factor for eight numbers; the sum of their magnitudes.
double multiply_eight(double* HWY_RESTRICT row, const double* HWY_RESTRICT factor) {
  constexpr D d;
  hn::Vec<D> magnitudes[kWidth / hn::MaxLanes(D())];
  constexpr std::size_t kVectors = std::size(magnitudes);
  for (std::size_t i = 0; i < kVectors; ++i) {
    const std::size_t lane = i * hn::Lanes(d);
    const auto product = hn::Mul(hn::LoadU(d, row + lane), hn::LoadU(d, factor + lane));
    hn::StoreU(product, d, row + lane);
    magnitudes[i] = hn::Abs(product);
  }
  // As folded does with halves.
  for (std::size_t half = kVectors / 2; half > 0; half /= 2)
    for (std::size_t i = 0; i < half; ++i) magnitudes[i] = hn::Add(magnitudes[i], magnitudes[i + half]);
  return folded(d, magnitudes[0]);
}

void multiply_rows(const RowFactors& factors, double* HWY_RESTRICT rows, double* HWY_RESTRICT sums) {
  const std::size_t num_classes = factors.num_classes;
  for (std::size_t n = 0; n < factors.cells.size(); ++n, rows += num_classes) {
    const double* factor = &factors.table[(factors.cells[n] * num_classes + factors.labels[n]) * num_classes];
    double sum = 0;
    std::size_t l = 0;
    for (; l + kWidth <= num_classes; l += kWidth) sum += multiply_eight(rows + l, factor + l);
    for (; l < num_classes; ++l) sum += std::abs(rows[l] *= factor[l]);
    sums[n] = sum;
  }
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(multiply_rows);

}  // namespace

void multiply_rows(const RowFactors& factors, double* rows, double* sums) {
  HWY_DYNAMIC_DISPATCH(multiply_rows)(factors, rows, sums);
}

void multiply_rows_reference(const RowFactors& factors, double* rows, double* sums) {
  const std::size_t num_classes = factors.num_classes;
  for (std::size_t n = 0; n < factors.cells.size(); ++n) {
    sums[n] = 0;
    for (std::size_t l = 0; l < num_classes; ++l)
      sums[n] +=
          std::abs(rows[n * num_classes + l] *=
                   factors.table[(factors.cells[n] * num_classes + factors.labels[n]) * num_classes + l]);
  }
}

}  // namespace mash
#endif
