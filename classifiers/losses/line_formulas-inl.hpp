// SPDX-License-Identifier: Apache-2.0
//
// Formulas of losses for a line search. Read once for each instruction set, by the source that includes it.
#include <numbers>

#include "classifiers/losses/packed_pairs-inl.hpp"

#if defined(MASH_LINE_FORMULAS) == defined(HWY_TARGET_TOGGLE)
#ifdef MASH_LINE_FORMULAS
#undef MASH_LINE_FORMULAS
#else
#define MASH_LINE_FORMULAS
#endif

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {

// Two losses are made of p = 1 / (1 + e^sm), the probability of being wrong at a margin m. T is double, or
// Packed for many numbers at once: the same operations in the same order, so the same bits.
template <class T>
struct Probability {
  T wrong;  // p
  T right;  // 1 - p
};

// more, less: of the likelier and the other side.
template <class T>
HWY_INLINE Probability<T> of_sides(const T& margin, const T& more, const T& less) {
  return {where_negative(margin, more, less), where_negative(margin, less, more)};
}

// e^x to 1e-13 for x <= 0; below -700 as there. The polynomial is (e^r - 1 - r) / r^2 at Chebyshev nodes of
// the interval that rounding to multiples of ln 2 leaves.
template <class T>
HWY_INLINE T exp_of(const T& x) {
  const T bounded = at_least(x, -700);
  const T shifted = bounded * std::numbers::log2e + kExponentShift;
  const T r = bounded - (shifted - kExponentShift) * std::numbers::ln2;
  T p = r * 0x1.72ad3ae401878p-19 + 0x1.a136b06bc76ddp-16;
  for (const double coefficient : {0x1.a019c3721fa7ep-13, 0x1.6c166be75a750p-10, 0x1.111111170ad56p-7,
                                   0x1.55555565c55a0p-5, 0x1.5555555554f97p-3, 0x1.fffffffffe069p-2})
    p = p * r + coefficient;
  return times_power_of_two(p * r * r + r + 1.0, shifted);
}

// 2 artanh(s) to 1e-13 for 0 <= s <= 1/3: a polynomial in s^2 at Chebyshev nodes.
template <class T>
HWY_INLINE T twice_inverse_tanh_of(const T& s) {
  const T z = s * s;
  T p = z * 0x1.9afeeea008984p-3 + 0x1.202b4d7a56a8fp-3;
  for (const double coefficient : {0x1.76fd5c9158713p-3, 0x1.c6f8ad634a6a2p-3, 0x1.2492cc4fab44ap-2,
                                   0x1.999997c399b66p-2, 0x1.5555555694e90p-1, 0x1.ffffffffffdc7p+0})
    p = p * z + coefficient;
  return p * s;
}

// Derivatives of the negative weight along the margin.
template <class T>
struct WeightDerivatives {
  T first, second, third;
};

// ln(1 + e^-m), weight p; its sums are told as log2 (line_sums.cpp).
struct LogisticFormula {
  // ln(1 + x) = 2 artanh(x / (2 + x)). One division serves both quotients.
  template <class T>
  static HWY_INLINE Probability<T> at(const T& margin, T& loss) {
    const T odds = exp_of(negative(magnitude(margin)));
    const T both = 1.0 + odds, more_than_both = 2.0 + odds;
    const T inverse = 1.0 / (both * more_than_both);
    const T more = inverse * more_than_both;
    loss = at_least(negative(margin), 0) + twice_inverse_tanh_of(odds * (inverse * both));
    return of_sides(margin, more, odds * more);
  }
  template <class T>
  static HWY_INLINE T weight(const Probability<T>& p) {
    return p.wrong;
  }
  template <class T>
  static HWY_INLINE WeightDerivatives<T> derivatives(const Probability<T>& p) {
    const T first = p.wrong * p.right;
    return {first, first * (p.wrong - p.right), first * (1.0 - 6.0 * first)};
  }
};

// 4 p^2, weight 4 p^2 (1 - p); dp/dm = -2 p (1 - p).
struct SavageFormula {
  template <class T>
  static HWY_INLINE Probability<T> at(const T& margin, T& loss) {
    const T odds = exp_of(negative(magnitude(margin) + magnitude(margin)));
    const T more = 1.0 / (1.0 + odds);
    const Probability<T> p = of_sides(margin, more, odds * more);
    loss = 4.0 * p.wrong * p.wrong;
    return p;
  }
  template <class T>
  static HWY_INLINE T weight(const Probability<T>& p) {
    return 4.0 * p.wrong * p.wrong * p.right;
  }
  template <class T>
  static HWY_INLINE WeightDerivatives<T> derivatives(const Probability<T>& p) {
    const T q = p.wrong, common = q * q * p.right;
    return {8.0 * common * (2.0 * p.right - q), -16.0 * common * (4.0 + q * (12.0 * q - 15.0)),
            32.0 * common * (8.0 + q * (q * (108.0 - 60.0 * q) - 57.0))};
  }
};

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
