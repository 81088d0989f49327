// SPDX-License-Identifier: Apache-2.0
#include "classifiers/reservoir/subtract_rows.hpp"

#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/reservoir/subtract_rows.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// kRows rows from the k-th on, so that the numbers are loaded and stored once for all of them.
template <std::size_t kRows>
HWY_INLINE void subtract(const FactorRows& rows, std::size_t k, double* HWY_RESTRICT numbers,
                         std::size_t size) {
  const hn::CappedTag<double, 8> d;
  const double* HWY_RESTRICT first = rows.first + k * rows.stride;
  const double* HWY_RESTRICT factors = rows.factors + k * rows.factor_stride;
  hn::Vec<decltype(d)> factor[kRows];
  for (std::size_t r = 0; r < kRows; ++r) factor[r] = hn::Set(d, factors[r * rows.factor_stride]);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= size; i += hn::Lanes(d)) {
    auto sum = hn::LoadU(d, numbers + i);
    for (std::size_t r = 0; r < kRows; ++r)
      sum = hn::Sub(sum, hn::Mul(factor[r], hn::LoadU(d, first + r * rows.stride + i)));
    hn::StoreU(sum, d, numbers + i);
  }
  for (; i < size; ++i)
    for (std::size_t r = 0; r < kRows; ++r)
      numbers[i] -= factors[r * rows.factor_stride] * first[r * rows.stride + i];
}

void subtract_rows(const FactorRows& rows, double* HWY_RESTRICT numbers, std::size_t size) {
  std::size_t k = 0;
  for (; k + 8 <= rows.count; k += 8) subtract<8>(rows, k, numbers, size);
  if (rows.count & 4) subtract<4>(rows, k, numbers, size), k += 4;
  if (rows.count & 2) subtract<2>(rows, k, numbers, size), k += 2;
  if (rows.count & 1) subtract<1>(rows, k, numbers, size);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(subtract_rows);

}  // namespace

void subtract_rows(const FactorRows& rows, double* numbers, std::size_t size) {
  if (uses_plain_loops()) return subtract_rows_reference(rows, numbers, size);
  HWY_DYNAMIC_DISPATCH(subtract_rows)(rows, numbers, size);
}

void subtract_rows_reference(const FactorRows& rows, double* numbers, std::size_t size) {
  for (std::size_t k = 0; k < rows.count; ++k)
    for (std::size_t i = 0; i < size; ++i)
      numbers[i] -= rows.factors[k * rows.factor_stride] * rows.first[k * rows.stride + i];
}

}  // namespace mash
#endif
