// SPDX-License-Identifier: Apache-2.0
#include "classifiers/online/stump_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/base/instruction_set.hpp"
#include "framework/base/require.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/online/stump_columns.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#ifndef MASH_STUMP_POINTERS  // this file is read once for each instruction set
#define MASH_STUMP_POINTERS
namespace mash {
namespace {

// Where the columns of some stumps begin; "own" are those of the example's sign.
struct TaughtStumps {
  std::size_t size;
  const float* values;
  double *own_weight, *own_value;
  const double *other_weight, *other_value;
  double *above, *right;  // marks
};
struct JudgedStumps {
  std::size_t size;
  const double *is_above, *is_right;  // marks
  double *right, *wrong, *errors;
  std::array<double*, 2> side_weights, side_sums;  // nullptr where they are not kept
};

}  // namespace
}  // namespace mash
#endif

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::CappedTag<double, kStumpBlock>;
using Floats = hn::Rebind<float, Doubles>;
constexpr Doubles kDoubles;

// The marks of some stumps: OnlineStump's thresholds and polarities, which the two means decide.
template <class Vector>
HWY_INLINE void mark(const TaughtStumps& stumps, std::size_t i, int sign, Vector x, Vector own_weight,
                     Vector own_value) {
  const auto zero = hn::Zero(kDoubles), one = hn::Set(kDoubles, 1);
  const auto other_value = hn::LoadU(kDoubles, stumps.other_value + i);
  const auto knows_own = hn::Gt(own_weight, zero),
             knows_other = hn::Gt(hn::LoadU(kDoubles, stumps.other_weight + i), zero),
             knows_both = hn::And(knows_own, knows_other);
  const auto midpoint = hn::Mul(hn::Add(own_value, other_value), hn::Set(kDoubles, 0.5));
  const auto threshold = hn::PromoteTo(kDoubles, hn::DemoteTo(Floats(), midpoint));
  const auto above = hn::Or(hn::Not(knows_both), hn::Ge(x, threshold));
  // Whether the polarity is the example's sign; of equal means it is +1, and of a stump that knows nothing.
  auto has_sign = hn::And(knows_both, hn::Gt(own_value, other_value));
  if (sign > 0) has_sign = hn::And(knows_both, hn::Ge(own_value, other_value));
  auto has_sign_of_one = hn::AndNot(knows_other, knows_own);
  if (sign > 0) has_sign_of_one = hn::Not(knows_other);
  const auto right = hn::Not(hn::Xor(above, hn::Or(has_sign, has_sign_of_one)));
  hn::StoreU(hn::IfThenElseZero(above, one), kDoubles, stumps.above + i);
  hn::StoreU(hn::IfThenElseZero(right, one), kDoubles, stumps.right + i);
}

void teach(const TaughtStumps& stumps, WeightedSign example) {
  const auto weight = hn::Set(kDoubles, example.weight), memory = hn::Set(kDoubles, kMemory),
             infinity = hn::Set(kDoubles, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < stumps.size; i += hn::Lanes(kDoubles)) {
    const auto x = hn::PromoteTo(kDoubles, hn::LoadU(Floats(), stumps.values + i));
    auto own_weight = hn::LoadU(kDoubles, stumps.own_weight + i),
         own_value = hn::LoadU(kDoubles, stumps.own_value + i);
    if (example.weight > 0) {
      const auto is_finite = hn::Lt(hn::Abs(x), infinity);
      const auto more = hn::Add(hn::Mul(memory, own_weight), weight);
      const auto moved = hn::Add(own_value, hn::Mul(hn::Div(weight, more), hn::Sub(x, own_value)));
      own_weight = hn::IfThenElse(is_finite, more, own_weight);
      own_value = hn::IfThenElse(is_finite, moved, own_value);
      hn::StoreU(own_weight, kDoubles, stumps.own_weight + i);
      hn::StoreU(own_value, kDoubles, stumps.own_value + i);
    }
    mark(stumps, i, example.sign, x, own_weight, own_value);
  }
}

template <class Vector>
HWY_INLINE Vector error_of(Vector right, Vector wrong) {
  const auto sum = hn::Add(right, wrong);
  return hn::IfThenElse(hn::Gt(sum, hn::Zero(kDoubles)), hn::Div(wrong, sum), hn::Set(kDoubles, 0.5));
}

// number = the share of it that is remembered, and `more`.
template <class Vector>
HWY_INLINE void remember(double* number, Vector more) {
  const auto kept = hn::Mul(hn::LoadU(kDoubles, number), hn::Set(kDoubles, kMemory));
  hn::StoreU(hn::Add(kept, more), kDoubles, number);
}

template <bool kKeepsSides>
HWY_INLINE void judge_blocks(const JudgedStumps& stumps, WeightedSign example) {
  const auto zero = hn::Zero(kDoubles), weight = hn::Set(kDoubles, example.weight),
             signed_weight = hn::Set(kDoubles, example.sign * example.weight);
  for (std::size_t i = 0; i < stumps.size; i += hn::Lanes(kDoubles)) {
    const auto is_right = hn::Ne(hn::LoadU(kDoubles, stumps.is_right + i), zero);
    const auto right = hn::Add(hn::LoadU(kDoubles, stumps.right + i), hn::IfThenElseZero(is_right, weight));
    const auto wrong = hn::Add(hn::LoadU(kDoubles, stumps.wrong + i), hn::IfThenZeroElse(is_right, weight));
    hn::StoreU(right, kDoubles, stumps.right + i);
    hn::StoreU(wrong, kDoubles, stumps.wrong + i);
    hn::StoreU(error_of(right, wrong), kDoubles, stumps.errors + i);
    if constexpr (kKeepsSides) {
      const auto is_above = hn::Ne(hn::LoadU(kDoubles, stumps.is_above + i), zero);
      remember(stumps.side_weights[0] + i, hn::IfThenZeroElse(is_above, weight));
      remember(stumps.side_weights[1] + i, hn::IfThenElseZero(is_above, weight));
      remember(stumps.side_sums[0] + i, hn::IfThenZeroElse(is_above, signed_weight));
      remember(stumps.side_sums[1] + i, hn::IfThenElseZero(is_above, signed_weight));
    }
  }
}

void judge(const JudgedStumps& stumps, WeightedSign example) {
  if (stumps.side_weights[0] != nullptr)
    judge_blocks<true>(stumps, example);
  else
    judge_blocks<false>(stumps, example);
}

void find_errors(const double* right, const double* wrong, std::span<double> errors) {
  for (std::size_t i = 0; i < errors.size(); i += hn::Lanes(kDoubles))
    hn::StoreU(error_of(hn::LoadU(kDoubles, right + i), hn::LoadU(kDoubles, wrong + i)), kDoubles,
               &errors[i]);
}

// The first place of a number; 0 where it is nowhere.
HWY_INLINE std::size_t place_of(std::span<const double> numbers, double number) {
  const auto wanted = hn::Set(kDoubles, number);
  for (std::size_t i = 0; i < numbers.size(); i += hn::Lanes(kDoubles)) {
    const auto lane = hn::FindFirstTrue(kDoubles, hn::Eq(hn::LoadU(kDoubles, &numbers[i]), wanted));
    if (lane >= 0) return i + std::size_t(lane);
  }
  return 0;
}

std::size_t find_smallest(std::span<const double> numbers) {
  auto smallest = hn::LoadU(kDoubles, numbers.data());
  for (std::size_t i = hn::Lanes(kDoubles); i < numbers.size(); i += hn::Lanes(kDoubles))
    smallest = hn::Min(smallest, hn::LoadU(kDoubles, &numbers[i]));
  return place_of(numbers, hn::GetLane(hn::MinOfLanes(kDoubles, smallest)));
}

std::size_t find_largest(std::span<const double> numbers) {
  auto largest = hn::LoadU(kDoubles, numbers.data());
  for (std::size_t i = hn::Lanes(kDoubles); i < numbers.size(); i += hn::Lanes(kDoubles))
    largest = hn::Max(largest, hn::LoadU(kDoubles, &numbers[i]));
  return place_of(numbers, hn::GetLane(hn::MaxOfLanes(kDoubles, largest)));
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(teach);
HWY_EXPORT(judge);
HWY_EXPORT(find_errors);
HWY_EXPORT(find_smallest);
HWY_EXPORT(find_largest);

// The same in plain loops: the references.

void teach_reference(const TaughtStumps& stumps, WeightedSign example) {
  for (std::size_t i = 0; i < stumps.size; ++i) {
    const double x = stumps.values[i];
    double& own_weight = stumps.own_weight[i];
    double& own_value = stumps.own_value[i];
    if (example.weight > 0 && std::isfinite(x)) {
      own_weight = kMemory * own_weight + example.weight;
      own_value += example.weight / own_weight * (x - own_value);
    }
    const double other_value = stumps.other_value[i];
    const bool knows_own = own_weight > 0, knows_other = stumps.other_weight[i] > 0;
    bool is_above = true;
    int polarity = 1;
    if (knows_own && knows_other) {
      is_above = x >= double(float((own_value + other_value) * 0.5));
      polarity = own_value == other_value ? 1 : own_value > other_value ? example.sign : -example.sign;
    } else if (knows_own || knows_other) {
      polarity = knows_own ? example.sign : -example.sign;
    }
    stumps.above[i] = is_above;
    stumps.right[i] = is_above == (polarity == example.sign);
  }
}

double wrong_share(double right, double wrong) { return right + wrong > 0 ? wrong / (right + wrong) : 0.5; }

void judge_reference(const JudgedStumps& stumps, WeightedSign example) {
  for (std::size_t i = 0; i < stumps.size; ++i) {
    (stumps.is_right[i] != 0 ? stumps.right : stumps.wrong)[i] += example.weight;
    stumps.errors[i] = wrong_share(stumps.right[i], stumps.wrong[i]);
    if (stumps.side_weights[0] == nullptr) continue;
    const std::size_t side = stumps.is_above[i] != 0;
    for (const std::size_t s : {std::size_t(0), std::size_t(1)}) {
      stumps.side_weights[s][i] = stumps.side_weights[s][i] * kMemory + (s == side ? example.weight : 0);
      stumps.side_sums[s][i] =
          stumps.side_sums[s][i] * kMemory + (s == side ? example.sign * example.weight : 0);
    }
  }
}

bool are_whole_blocks(std::size_t first, std::size_t count, std::size_t size) {
  return first % kStumpBlock == 0 && count % kStumpBlock == 0 && first + count <= size;
}

}  // namespace

StumpColumns::StumpColumns(std::size_t size) {
  require(size % kStumpBlock == 0, "StumpColumns: whole blocks");
  for (Means& means : means_) means = {StumpColumn<double>(size), StumpColumn<double>(size)};
}

void StumpColumns::teach(std::size_t first, std::span<const float> values, WeightedSign example,
                         StumpMarks& marks) {
  require(example.sign == 1 || example.sign == -1, "StumpColumns::teach: sign in {-1, +1}");
  require(example.weight >= 0, "StumpColumns::teach: weight >= 0");
  require(
      are_whole_blocks(first, values.size(), means_[0].weight.size()) && marks.above.size() == values.size(),
      "StumpColumns::teach: whole blocks, a mark for each value");
  Means &own = means_[example.sign > 0], &other = means_[example.sign < 0];
  const TaughtStumps stumps{values.size(),      values.data(),        &own.weight[first],
                            &own.value[first],  &other.weight[first], &other.value[first],
                            marks.above.data(), marks.right.data()};
  if (uses_plain_loops()) return teach_reference(stumps, example);
  HWY_DYNAMIC_DISPATCH(teach)(stumps, example);
}

// As OnlineStump::settle without a start.
FeatureStump StumpColumns::now(std::size_t i, std::uint32_t feature) const {
  FeatureStump stump{feature};
  const auto& [negative, positive] = means_;
  const bool knows_negative = negative.weight[i] > 0, knows_positive = positive.weight[i] > 0;
  if (knows_negative && knows_positive) {
    stump.threshold = float((positive.value[i] + negative.value[i]) / 2);
    stump.polarity = positive.value[i] >= negative.value[i] ? 1 : -1;
  } else {
    stump.polarity = knows_negative ? -1 : 1;
  }
  return stump;
}

void StumpColumns::forget(std::size_t i) {
  for (Means& means : means_) means.weight[i] = means.value[i] = 0;
}

void StumpColumns::write(std::size_t i, std::uint32_t feature, StateWriter& writer) const {
  const FeatureStump start{feature}, stump = now(i, feature);
  writer.add(feature, start.threshold, start.polarity, stump.threshold, stump.polarity, 0);
  for (const Means& means : means_) writer.add(means.weight[i], means.value[i]);
}

std::uint32_t StumpColumns::read(std::size_t i, StateReader& reader) {
  const auto feature = reader.next<std::uint32_t>();
  reader.next_all(5);  // the means say what they were
  for (Means& means : means_) {
    means.weight[i] = reader.next();
    means.value[i] = reader.next();
  }
  return feature;
}

JudgedColumns::JudgedColumns(std::size_t size, bool keeps_sides) : right_(size), wrong_(size) {
  require(size % kStumpBlock == 0, "JudgedColumns: whole blocks");
  if (!keeps_sides) return;
  for (auto* columns : {&side_weights_, &side_sums_})
    for (StumpColumn<double>& column : *columns) column.resize(size);
}

void JudgedColumns::judge(std::size_t first, const StumpMarks& marks, WeightedSign example,
                          std::span<double> errors) {
  require(are_whole_blocks(first, errors.size(), right_.size()) && marks.above.size() == errors.size(),
          "JudgedColumns::judge: whole blocks, an error for each mark");
  JudgedStumps stumps{errors.size(),
                      marks.above.data(),
                      marks.right.data(),
                      &right_[first],
                      &wrong_[first],
                      errors.data(),
                      {},
                      {}};
  for (const std::size_t side : {0u, 1u}) {
    stumps.side_weights[side] = keeps_sides() ? &side_weights_[side][first] : nullptr;
    stumps.side_sums[side] = keeps_sides() ? &side_sums_[side][first] : nullptr;
  }
  if (uses_plain_loops()) return judge_reference(stumps, example);
  HWY_DYNAMIC_DISPATCH(judge)(stumps, example);
}

void JudgedColumns::errors(std::size_t first, std::span<double> errors) const {
  require(are_whole_blocks(first, errors.size(), right_.size()), "JudgedColumns::errors: whole blocks");
  if (uses_plain_loops()) {
    for (std::size_t i = 0; i < errors.size(); ++i)
      errors[i] = wrong_share(right_[first + i], wrong_[first + i]);
    return;
  }
  HWY_DYNAMIC_DISPATCH(find_errors)(&right_[first], &wrong_[first], errors);
}

void JudgedColumns::start_again(std::size_t i) {
  right_[i] = wrong_[i] = 1;
  if (!keeps_sides()) return;
  for (const std::size_t side : {0u, 1u}) side_weights_[side][i] = side_sums_[side][i] = 0;
}

void JudgedColumns::write_sums(std::size_t i, StateWriter& writer) const { writer.add(right_[i], wrong_[i]); }

void JudgedColumns::read_sums(std::size_t i, StateReader& reader) {
  right_[i] = reader.next();
  wrong_[i] = reader.next();
}

void JudgedColumns::write_sides(std::size_t i, StateWriter& writer) const {
  for (const auto* columns : {&side_weights_, &side_sums_})
    for (const StumpColumn<double>& column : *columns) writer.add(column[i]);
}

void JudgedColumns::read_sides(std::size_t i, StateReader& reader) {
  for (auto* columns : {&side_weights_, &side_sums_})
    for (StumpColumn<double>& column : *columns) column[i] = reader.next();
}

std::size_t place_of_smallest(std::span<const double> numbers) {
  require(!numbers.empty() && numbers.size() % kStumpBlock == 0, "place_of_smallest: whole blocks");
  if (uses_plain_loops())
    return std::size_t(std::min_element(numbers.begin(), numbers.end()) - numbers.begin());
  return HWY_DYNAMIC_DISPATCH(find_smallest)(numbers);
}

std::size_t place_of_largest(std::span<const double> numbers) {
  require(!numbers.empty() && numbers.size() % kStumpBlock == 0, "place_of_largest: whole blocks");
  if (uses_plain_loops())
    return std::size_t(std::max_element(numbers.begin(), numbers.end()) - numbers.begin());
  return HWY_DYNAMIC_DISPATCH(find_largest)(numbers);
}

}  // namespace mash
#endif
