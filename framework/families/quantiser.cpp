// SPDX-License-Identifier: Apache-2.0
#include "framework/families/quantiser.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <cmath>

#include "framework/base/ordered_bits.hpp"
#include "framework/base/require.hpp"
#include "framework/families/codes.hpp"

namespace mash {
namespace {

// REQUIRES: no NaN.
void sort_numbers(std::span<float> values) {
  thread_local std::vector<std::uint32_t> keys;  // features follow each other: no fresh pages for each
  thread_local hwy::Sorter sorter;
  keys.resize(values.size());
  std::transform(values.begin(), values.end(), keys.begin(), ordered_bits);
  sorter(keys.data(), keys.size(), hwy::SortAscending());
  std::transform(keys.begin(), keys.end(), values.begin(), from_ordered_bits);
}

}  // namespace

Thresholds::Thresholds(std::span<const float> values) : size_(std::uint32_t(values.size())) {
  require(values.size() <= kMax, "Thresholds: at most kMax");
  for (std::size_t i = 0; i < values.size(); ++i)
    require(!std::isnan(values[i]) && (i == 0 || values[i - 1] < values[i]),
            "Thresholds: increasing, none is NaN");
  values_.fill(kPadding);
  std::copy(values.begin(), values.end(), values_.begin());
}

void Thresholds::find_codes(std::span<const float> values, std::uint8_t* out) const {
  std::array<float, kMax + 1> padded;
  std::copy(values_.begin(), values_.end(), padded.begin());
  padded.back() = kPadding;
  mash::find_codes(padded, size_, values, out);
}

float cut_between(float lo, float hi) {
  if (std::isinf(lo) || std::isinf(hi)) return hi;
  const float middle = lo + (hi - lo) / 2;
  return middle > lo && middle <= hi ? middle : hi;
}

Thresholds choose_thresholds(std::span<float> values) {
  const auto first_nan = std::partition(values.begin(), values.end(), [](float x) { return !std::isnan(x); });
  const bool has_nan = first_nan != values.end();
  sort_numbers({values.begin(), first_nan});
  const auto last_distinct = std::unique(values.begin(), first_nan);
  const auto num_distinct = std::size_t(last_distinct - values.begin());
  if (num_distinct == 0) return Thresholds();

  std::vector<float> cuts;
  if (has_nan) cuts.push_back(values[0]);
  const std::size_t room = Thresholds::kMax - cuts.size();
  const std::size_t num_cuts = std::min(room, num_distinct - 1);
  for (std::size_t i = 1; i <= num_cuts; ++i) {
    const std::size_t above = num_distinct - 1 <= room ? i : i * num_distinct / (room + 1);
    const float cut = cut_between(values[above - 1], values[above]);
    if (cuts.empty() || cut > cuts.back()) cuts.push_back(cut);
  }
  return Thresholds(cuts);
}

}  // namespace mash
