// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/kernels/rounding.hpp"

#include <algorithm>
#include <cmath>

#include "classifiers/scan/kernels/histogram.hpp"
#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/scan/kernels/rounding.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Vectors of kWidth numbers, or fewer where the instruction set has shorter ones.
template <std::size_t kWidth>
using Numbers = hn::CappedTag<double, kWidth>;

// As many numbers as the vector has, 0 in place of those after num_left.
template <class D>
hn::Vec<D> load_some(D d, const double* from, std::size_t num_left, const double* end) {
  if (num_left >= hn::Lanes(d)) return hn::LoadU(d, from);
  const auto some = hn::FirstN(d, num_left);
  if (std::size_t(end - from) >= hn::Lanes(d)) return hn::IfThenElseZero(some, hn::LoadU(d, from));
  double last[hn::MaxLanes(D())] = {};
  std::copy_n(from, num_left, last);
  return hn::LoadU(d, last);
}

template <std::size_t kWidth, class Integer>
void round_rows_of(const RowsToRound& rows, [[maybe_unused]] std::span<const double> noise,
                   Integer* HWY_RESTRICT integers, LaneSums& sums) {
  const Numbers<kWidth> d;
  const hn::Rebind<std::int32_t, Numbers<kWidth>> d32;
  const hn::Rebind<Integer, Numbers<kWidth>> di;
  const std::size_t num_classes = rows.num_classes;
  const Strips strips(num_classes);
  const double* end = rows.weights.data() + rows.weights.size();
  std::int32_t* HWY_RESTRICT totals = sums.totals.data();
  std::int32_t* HWY_RESTRICT magnitudes = sums.magnitudes.data();
  // Drawn rows are not where the processor expects them; of a long row it finds the lines between.
  constexpr std::size_t kRowsAhead = 16;
  for (std::size_t r = 0; r < rows.rows.size(); ++r) {
    if (r + kRowsAhead < rows.rows.size()) {
      const double* later = &rows.weights[rows.rows[r + kRowsAhead] * num_classes];
      __builtin_prefetch(later);
      __builtin_prefetch(later + num_classes - 1);
    }
    const double* weights = &rows.weights[rows.rows[r] * num_classes];
    const auto factor = hn::Set(d, rows.factors[r]);
    Integer* out = integers + strips.at(0, r, rows.num_strip_rows);
    for (std::size_t lane = 0; lane < strips.num_all_lanes(); lane += hn::Lanes(d), out += hn::Lanes(d)) {
      // The strip's row ends: the next strip's one follows all others of this one.
      if ((lane & (strips.num_lanes - 1)) == 0 && lane > 0)
        out += (rows.num_strip_rows - 1) * strips.num_lanes;
      if (lane >= num_classes) {
        hn::StoreU(hn::Zero(di), di, out);
        continue;
      }
      const std::size_t num_left = num_classes - lane;
      const auto product = hn::Mul(load_some(d, weights + lane, num_left, end), factor);
      hn::Vec<Numbers<kWidth>> whole;
      if constexpr (sizeof(Integer) == 1) {
        const double* up = &noise[r * num_classes + lane];
        whole = hn::Floor(hn::Add(product, load_some(d, up, num_left, noise.data() + noise.size())));
      } else {
        whole = hn::Round(product);
      }
      const auto rounded = hn::DemoteTo(d32, whole);
      hn::StoreU(hn::DemoteTo(di, rounded), di, out);
      hn::StoreU(hn::Add(hn::LoadU(d32, totals + lane), rounded), d32, totals + lane);
      hn::StoreU(hn::Add(hn::LoadU(d32, magnitudes + lane), hn::Abs(rounded)), d32, magnitudes + lane);
    }
  }
}

void round_rows_16(const RowsToRound& rows, std::int16_t* integers, LaneSums& sums) {
  if (Strips(rows.num_classes).num_lanes == 4) return round_rows_of<4>(rows, {}, integers, sums);
  round_rows_of<8>(rows, {}, integers, sums);
}

void round_rows_8(const RowsToRound& rows, std::span<const double> noise, std::int8_t* integers,
                  LaneSums& sums) {
  if (Strips(rows.num_classes).num_lanes == 4) return round_rows_of<4>(rows, noise, integers, sums);
  round_rows_of<8>(rows, noise, integers, sums);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(round_rows_16);
HWY_EXPORT(round_rows_8);

template <class Integer, class Round>
void round_plainly(const RowsToRound& rows, Integer* integers, LaneSums& sums, const Round& round) {
  const Strips strips(rows.num_classes);
  for (std::size_t r = 0; r < rows.rows.size(); ++r)
    for (std::size_t lane = 0; lane < strips.num_all_lanes(); ++lane) {
      std::int32_t rounded = 0;
      if (lane < rows.num_classes)
        rounded = std::int32_t(round(rows.weights[rows.rows[r] * rows.num_classes + lane] * rows.factors[r],
                                     r * rows.num_classes + lane));
      integers[strips.at(lane / strips.num_lanes, r, rows.num_strip_rows) + lane % strips.num_lanes] =
          Integer(rounded);
      sums.totals[lane] += rounded;
      sums.magnitudes[lane] += std::abs(rounded);
    }
}

}  // namespace

void LaneSums::add(const LaneSums& others) {
  for (std::size_t lane = 0; lane < totals.size(); ++lane) {
    totals[lane] += others.totals[lane];
    magnitudes[lane] += others.magnitudes[lane];
  }
}

void LaneSums::clear() {
  std::fill(totals.begin(), totals.end(), 0);
  std::fill(magnitudes.begin(), magnitudes.end(), 0);
}

void round_rows(const RowsToRound& rows, std::int16_t* integers, LaneSums& sums) {
  if (uses_plain_loops()) return round_rows_reference(rows, integers, sums);
  HWY_DYNAMIC_DISPATCH(round_rows_16)(rows, integers, sums);
}
void round_rows(const RowsToRound& rows, std::span<const double> noise, std::int8_t* integers,
                LaneSums& sums) {
  if (uses_plain_loops()) return round_rows_reference(rows, noise, integers, sums);
  HWY_DYNAMIC_DISPATCH(round_rows_8)(rows, noise, integers, sums);
}

void round_rows_reference(const RowsToRound& rows, std::int16_t* integers, LaneSums& sums) {
  round_plainly(rows, integers, sums, [](double x, std::size_t) { return std::nearbyint(x); });
}
void round_rows_reference(const RowsToRound& rows, std::span<const double> noise, std::int8_t* integers,
                          LaneSums& sums) {
  round_plainly(rows, integers, sums, [&](double x, std::size_t i) { return std::floor(x + noise[i]); });
}

}  // namespace mash
#endif
