// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/row_factors.hpp"

#include <cmath>
#include <utility>

#include "classifiers/scan/kernels/fetch_ahead.hpp"
#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/scan/kernels/row_factors.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

// row *= factor for kWidth numbers, in as many vectors as the instruction set needs for their sums; the sum
// of their magnitudes.
template <std::size_t kWidth>
HWY_INLINE double multiply(double* HWY_RESTRICT row, const double* HWY_RESTRICT factor) {
  constexpr hn::CappedTag<double, kWidth> d;
  hn::Vec<decltype(d)> magnitudes[kWidth / hn::MaxLanes(decltype(d)())];
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
  for (std::size_t n = 0; n < factors.cells.size(); ++n) {
    const double* factor = &factors.table[(factors.cells[n] * num_classes + factors.labels[n]) * num_classes];
    const double* factor_end = factor + num_classes;
    double sum = 0;
    fetch_ahead(rows, num_classes);
    for (; factor + 8 <= factor_end; factor += 8, rows += 8) sum += multiply<8>(rows, factor);
    if (num_classes & 4) sum += multiply<4>(std::exchange(rows, rows + 4), std::exchange(factor, factor + 4));
    if (num_classes & 2) sum += multiply<2>(std::exchange(rows, rows + 2), std::exchange(factor, factor + 2));
    if (num_classes & 1) sum += multiply<1>(rows++, factor);
    sums[n] = sum;
  }
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(multiply_rows);

// In the order of vectors: eight at a time, then what is left, the upper half added to the lower until one is
// left.
double sum_of_magnitudes(const double* row, std::size_t size) {
  double sum = 0;
  for (std::size_t width = 8; width > 0; width /= 2)
    for (; size >= width; size -= width, row += width) {
      double magnitudes[8] = {};
      for (std::size_t i = 0; i < width; ++i) magnitudes[i] = std::abs(row[i]);
      for (std::size_t half = width / 2; half > 0; half /= 2)
        for (std::size_t i = 0; i < half; ++i) magnitudes[i] += magnitudes[i + half];
      sum += magnitudes[0];
    }
  return sum;
}

}  // namespace

void multiply_rows(const RowFactors& factors, double* rows, double* sums) {
  if (uses_plain_loops()) return multiply_rows_reference(factors, rows, sums);
  HWY_DYNAMIC_DISPATCH(multiply_rows)(factors, rows, sums);
}

void multiply_rows_reference(const RowFactors& factors, double* rows, double* sums) {
  const std::size_t num_classes = factors.num_classes;
  for (std::size_t n = 0; n < factors.cells.size(); ++n) {
    const double* factor = &factors.table[(factors.cells[n] * num_classes + factors.labels[n]) * num_classes];
    double* row = rows + n * num_classes;
    for (std::size_t l = 0; l < num_classes; ++l) row[l] *= factor[l];
    sums[n] = sum_of_magnitudes(row, num_classes);
  }
}

}  // namespace mash
#endif
