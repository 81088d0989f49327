// SPDX-License-Identifier: Apache-2.0
#include "classifiers/learners/row_products.hpp"

#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/learners/row_products.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Number i of a row is added to lane i % kLanes: enough lanes that no addition waits for the one before.
constexpr std::size_t kLanes = 32;
using D64 = hn::CappedTag<double, 8>;

HWY_INLINE hn::Vec<D64> numbers_at(const std::uint8_t* row) {
  const hn::Rebind<std::int32_t, D64> d32;
  return hn::PromoteTo(D64(), hn::PromoteTo(d32, hn::LoadU(hn::Rebind<std::uint8_t, D64>(), row)));
}
HWY_INLINE hn::Vec<D64> numbers_at(const float* row) {
  return hn::PromoteTo(D64(), hn::LoadU(hn::Rebind<float, D64>(), row));
}

// The order of additions, which the plain loops share.
inline double sum_of(const double* lanes) {
  double sums[8];
  for (std::size_t i = 0; i < 8; ++i) sums[i] = (lanes[i] + lanes[i + 8]) + (lanes[i + 16] + lanes[i + 24]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// The sum of term(number, i) of all columns, for vectors and for single numbers.
template <class Number, class Term>
HWY_INLINE double sum_of_terms(const Number* row, std::size_t size, const Term& term) {
  constexpr std::size_t kWidth = hn::MaxLanes(D64()), kVectors = kLanes / kWidth;
  const std::size_t whole = size / kLanes * kLanes;
  hn::Vec<D64> sums[kVectors];
  for (auto& sum : sums) sum = hn::Zero(D64());
  for (std::size_t first = 0; first < whole; first += kLanes)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t i = first + v * kWidth;
      sums[v] = hn::Add(sums[v], term(numbers_at(row + i), i));
    }
  double lanes[kLanes];
  for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[v], D64(), lanes + v * kWidth);
  for (std::size_t i = whole; i < size; ++i) lanes[i - whole] += term(double(row[i]), i);
  return sum_of(lanes);
}

// Asks for the numbers of a row from `first` on, of a step of sum_of_terms.
template <class Number>
HWY_INLINE void fetch(const Number* row, std::size_t first) {
  constexpr std::size_t kLine = 64 / sizeof(Number);
  for (std::size_t i = 0; i < kLanes; i += kLine) __builtin_prefetch(row + first + i);
}

template <class Number>
HWY_INLINE double product_with(const Number* row, std::span<const double> factors, const Number* next) {
  return sum_of_terms(row, factors.size(), [&](auto number, std::size_t i) HWY_ATTR {
    if (i % kLanes == 0) fetch(next, i);
    if constexpr (std::is_same_v<decltype(number), double>)
      return number * factors[i];
    else
      return hn::Mul(number, hn::LoadU(D64(), &factors[i]));
  });
}
template <class Number>
HWY_INLINE double square(const Number* row, std::span<const double> offsets, const double* factors) {
  return sum_of_terms(row, offsets.size(), [&](auto number, std::size_t i) HWY_ATTR {
    if constexpr (std::is_same_v<decltype(number), double>) {
      const double centred = number - offsets[i];
      return centred * centred * factors[i];
    } else {
      const auto centred = hn::Sub(number, hn::LoadU(D64(), &offsets[i]));
      return hn::Mul(hn::Mul(centred, centred), hn::LoadU(D64(), factors + i));
    }
  });
}
template <class Number>
HWY_INLINE void add(const Number* row, std::span<const double> factors, double step, double* sums) {
  const std::size_t width = hn::Lanes(D64()), whole = factors.size() / width * width;
  const auto steps = hn::Set(D64(), step);
  for (std::size_t i = 0; i < whole; i += width) {
    const auto added = hn::Mul(steps, hn::Mul(numbers_at(row + i), hn::LoadU(D64(), &factors[i])));
    hn::StoreU(hn::Add(hn::LoadU(D64(), sums + i), added), D64(), sums + i);
  }
  for (std::size_t i = whole; i < factors.size(); ++i) sums[i] += step * (double(row[i]) * factors[i]);
}

template <class Number>
HWY_INLINE double add_and_multiply(const Number* row, std::span<const double> factors, double step,
                                   double* sums, const Number* other, const Number* next) {
  const auto steps = hn::Set(D64(), step);
  return sum_of_terms(other, factors.size(), [&](auto number, std::size_t i) HWY_ATTR {
    if (i % kLanes == 0) fetch(next, i);
    if constexpr (std::is_same_v<decltype(number), double>) {
      sums[i] += step * (double(row[i]) * factors[i]);
      return number * sums[i];
    } else {
      const auto added = hn::Mul(steps, hn::Mul(numbers_at(row + i), hn::LoadU(D64(), &factors[i])));
      const auto sum = hn::Add(hn::LoadU(D64(), sums + i), added);
      hn::StoreU(sum, D64(), sums + i);
      return hn::Mul(number, sum);
    }
  });
}

template <class Number>
HWY_INLINE void add_four_rows(const std::array<const Number*, 4>& rows, const std::array<double, 4>& steps,
                              std::size_t size, double* sums) {
  const std::size_t width = hn::Lanes(D64()), whole = size / width * width;
  const hn::Vec<D64> factors[] = {hn::Set(D64(), steps[0]), hn::Set(D64(), steps[1]),
                                  hn::Set(D64(), steps[2]), hn::Set(D64(), steps[3])};
  for (std::size_t i = 0; i < whole; i += width) {
    const auto part = [&](std::size_t k) HWY_ATTR { return hn::Mul(factors[k], numbers_at(rows[k] + i)); };
    const auto added = hn::Add(hn::Add(part(0), part(1)), hn::Add(part(2), part(3)));
    hn::StoreU(hn::Add(hn::LoadU(D64(), sums + i), added), D64(), sums + i);
  }
  for (std::size_t i = whole; i < size; ++i)
    sums[i] += (steps[0] * double(rows[0][i]) + steps[1] * double(rows[1][i])) +
               (steps[2] * double(rows[2][i]) + steps[3] * double(rows[3][i]));
}
void four_of(const FourRows& rows, const std::array<double, 4>& steps, std::size_t size, double* sums) {
  if (rows[0].codes != nullptr)
    add_four_rows<std::uint8_t>({rows[0].codes, rows[1].codes, rows[2].codes, rows[3].codes}, steps, size,
                                sums);
  else
    add_four_rows<float>({rows[0].values, rows[1].values, rows[2].values, rows[3].values}, steps, size, sums);
}

double product_of(const NumberRow& row, std::span<const double> factors, const NumberRow& next) {
  return row.codes != nullptr ? product_with(row.codes, factors, next.codes)
                              : product_with(row.values, factors, next.values);
}
double both_of(const NumberRow& row, std::span<const double> factors, double step, double* sums,
               const NumberRow& other, const NumberRow& next) {
  return row.codes != nullptr ? add_and_multiply(row.codes, factors, step, sums, other.codes, next.codes)
                              : add_and_multiply(row.values, factors, step, sums, other.values, next.values);
}
double square_of(const NumberRow& row, std::span<const double> offsets, const double* factors) {
  return row.codes != nullptr ? square(row.codes, offsets, factors) : square(row.values, offsets, factors);
}
void add_to(const NumberRow& row, std::span<const double> factors, double step, double* sums) {
  if (row.codes != nullptr)
    add(row.codes, factors, step, sums);
  else
    add(row.values, factors, step, sums);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(product_of);
HWY_EXPORT(both_of);
HWY_EXPORT(four_of);
HWY_EXPORT(square_of);
HWY_EXPORT(add_to);

double number(const NumberRow& row, std::size_t i) {
  return row.codes != nullptr ? double(row.codes[i]) : double(row.values[i]);
}

// The sum of term(i) for i < size, each in its lane.
template <class Term>
double plain_sum(std::size_t size, const Term& term) {
  double lanes[HWY_NAMESPACE::kLanes] = {};
  for (std::size_t i = 0; i < size; ++i) lanes[i % HWY_NAMESPACE::kLanes] += term(i);
  return HWY_NAMESPACE::sum_of(lanes);
}

}  // namespace

double product(const NumberRow& row, std::span<const double> factors, const NumberRow& next) {
  if (!uses_plain_loops()) return HWY_DYNAMIC_DISPATCH(product_of)(row, factors, next);
  return plain_sum(factors.size(), [&](std::size_t i) { return number(row, i) * factors[i]; });
}

double centred_square(const NumberRow& row, std::span<const double> offsets, const double* factors) {
  if (!uses_plain_loops()) return HWY_DYNAMIC_DISPATCH(square_of)(row, offsets, factors);
  return plain_sum(offsets.size(), [&](std::size_t i) {
    const double centred = number(row, i) - offsets[i];
    return centred * centred * factors[i];
  });
}

void add_scaled(const NumberRow& row, std::span<const double> factors, double step, double* sums) {
  if (!uses_plain_loops()) return HWY_DYNAMIC_DISPATCH(add_to)(row, factors, step, sums);
  for (std::size_t i = 0; i < factors.size(); ++i) sums[i] += step * (number(row, i) * factors[i]);
}

double add_then_multiply(const NumberRow& row, std::span<const double> factors, double step, double* sums,
                         const NumberRow& other, const NumberRow& next) {
  if (!uses_plain_loops()) return HWY_DYNAMIC_DISPATCH(both_of)(row, factors, step, sums, other, next);
  add_scaled(row, factors, step, sums);
  return product(other, std::span<const double>(sums, factors.size()), next);
}

void add_four(const FourRows& rows, const std::array<double, 4>& steps, std::size_t size, double* sums) {
  if (!uses_plain_loops()) return HWY_DYNAMIC_DISPATCH(four_of)(rows, steps, size, sums);
  for (std::size_t i = 0; i < size; ++i)
    sums[i] += (steps[0] * number(rows[0], i) + steps[1] * number(rows[1], i)) +
               (steps[2] * number(rows[2], i) + steps[3] * number(rows[3], i));
}

}  // namespace mash
#endif
