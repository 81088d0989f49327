// SPDX-License-Identifier: Apache-2.0
#include "classifiers/losses/line_sums.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numbers>

#include "framework/base/instruction_set.hpp"
#include "framework/base/require.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/losses/line_sums.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include "classifiers/losses/line_formulas-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {

// Some pairs, 32 or one, at the beginning of a line.
template <class T>
struct StartPairs {
  T kept, initial, votes;
};

// Adds them to the sums of LineStart, in its order; the slope with the other sign.
template <class Formula, class T, class Sums>
HWY_INLINE void add_start(const StartPairs<T>& pairs, Sums& sums) {
  const Probability<T> p{pairs.kept, 1.0 - pairs.kept};
  const WeightDerivatives<T> derivatives = Formula::derivatives(p);
  const T pull = pairs.initial * pairs.votes;  // g a
  const T squared = pairs.votes * pairs.votes, size = magnitude(pairs.initial) * squared;
  const T weight = Formula::weight(p);
  sums.add(0, magnitude(pull) * weight);
  sums.add(1, pull * weight);
  sums.add(2, size * derivatives.first);
  sums.add(3, pull * squared * derivatives.second);
  sums.add(4, size * squared * derivatives.third);
}

// Some pairs at a point of a line, and what is made of them.
template <class T>
struct PointPairs {
  T scores, initial, votes;
};
template <class T>
struct MovedPairs {
  T kept, weights;
};

// Adds them to the sums of LinePoint, in its order; the slope with the other sign.
template <class Formula, class T, class Sums>
HWY_INLINE MovedPairs<T> add_point(const PointPairs<T>& pairs, double alpha, Sums& sums) {
  const T margins = with_sign_of(pairs.initial, pairs.scores + alpha * pairs.votes);
  T losses;
  const Probability<T> p = Formula::at(margins, losses);
  sums.add(0, magnitude(pairs.initial) * losses);
  const T weights = pairs.initial * Formula::weight(p);
  sums.add(1, magnitude(weights));
  sums.add(2, weights * pairs.votes);
  return {p.wrong, weights};
}

// Numbers of 32 pairs from `first` on; of the last pairs, filled up with zeros, which add nothing.
HWY_INLINE Packed load_some(std::span<const double> numbers, std::size_t first) {
  if (first + kPacked <= numbers.size()) return load(&numbers[first]);
  double last[kPacked] = {};
  std::copy(numbers.begin() + std::ptrdiff_t(first), numbers.end(), last);
  return load(last);
}
HWY_INLINE void store_some(const Packed& some, std::size_t first, std::span<double> numbers) {
  if (first + kPacked <= numbers.size()) return store(some, &numbers[first]);
  double last[kPacked];
  store(some, last);
  std::copy_n(last, numbers.size() - first, &numbers[first]);
}

template <class Formula>
HWY_INLINE std::array<double, 5> start_sums(const LinePairs& pairs) {
  PackedSums<5> sums;
  for (std::size_t i = 0; i < pairs.size(); i += kPacked)
    add_start<Formula>(
        StartPairs<Packed>{load_some(pairs.kept, i), load_some(pairs.initial, i), load_some(pairs.votes, i)},
        sums);
  return sums.totals();
}

template <class Formula>
HWY_INLINE std::array<double, 3> point_sums(const LinePairs& pairs, double alpha, std::span<double> weights) {
  PackedSums<3> sums;
  for (std::size_t i = 0; i < pairs.size(); i += kPacked) {
    const MovedPairs<Packed> moved =
        add_point<Formula>(PointPairs<Packed>{load_some(pairs.scores, i), load_some(pairs.initial, i),
                                              load_some(pairs.votes, i)},
                           alpha, sums);
    store_some(moved.kept, i, pairs.kept);
    store_some(moved.weights, i, weights);
  }
  return sums.totals();
}

void start_of_line(LineFormula formula, const LinePairs& pairs, std::array<double, 5>& sums) {
  sums = formula == LineFormula::kLogistic ? start_sums<LogisticFormula>(pairs)
                                           : start_sums<SavageFormula>(pairs);
}

void point_on_line(LineFormula formula, const LinePairs& pairs, double alpha, std::span<double> weights,
                   std::array<double, 3>& sums) {
  sums = formula == LineFormula::kLogistic ? point_sums<LogisticFormula>(pairs, alpha, weights)
                                           : point_sums<SavageFormula>(pairs, alpha, weights);
}

// The plain loops: one pair at a time.
template <class Formula>
std::array<double, 5> plain_start(const LinePairs& pairs) {
  PlainSums<5> sums;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    add_start<Formula>(StartPairs<double>{pairs.kept[i], pairs.initial[i], pairs.votes[i]},
                       sums.of_number(i));
  return sums.totals();
}

template <class Formula>
std::array<double, 3> plain_point(const LinePairs& pairs, double alpha, std::span<double> weights) {
  PlainSums<3> sums;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const MovedPairs<double> moved = add_point<Formula>(
        PointPairs<double>{pairs.scores[i], pairs.initial[i], pairs.votes[i]}, alpha, sums.of_number(i));
    pairs.kept[i] = moved.kept;
    weights[i] = moved.weights;
  }
  return sums.totals();
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(start_of_line);
HWY_EXPORT(point_on_line);

}  // namespace

LineStart start_of_line(LineFormula formula, const LinePairs& pairs) {
  std::array<double, 5> sums;
  if (!uses_plain_loops())
    HWY_DYNAMIC_DISPATCH(start_of_line)(formula, pairs, sums);
  else if (formula == LineFormula::kLogistic)
    sums = HWY_NAMESPACE::plain_start<HWY_NAMESPACE::LogisticFormula>(pairs);
  else
    sums = HWY_NAMESPACE::plain_start<HWY_NAMESPACE::SavageFormula>(pairs);
  return {sums[0], -sums[1], sums[2], sums[3], sums[4]};
}

LinePoint point_on_line(LineFormula formula, const LinePairs& pairs, double alpha,
                        std::span<double> weights) {
  require(weights.size() == pairs.size() && pairs.kept.size() == pairs.size(),
          "point_on_line: as many numbers of each kind as pairs");
  std::array<double, 3> sums;
  if (!uses_plain_loops())
    HWY_DYNAMIC_DISPATCH(point_on_line)(formula, pairs, alpha, weights, sums);
  else if (formula == LineFormula::kLogistic)
    sums = HWY_NAMESPACE::plain_point<HWY_NAMESPACE::LogisticFormula>(pairs, alpha, weights);
  else
    sums = HWY_NAMESPACE::plain_point<HWY_NAMESPACE::SavageFormula>(pairs, alpha, weights);
  const double scale = formula == LineFormula::kLogistic ? std::numbers::log2e : 1;
  return {scale * sums[0], sums[1], -sums[2]};
}

}  // namespace mash
#endif
