// SPDX-License-Identifier: Apache-2.0
#include "framework/families/quantiser.hpp"

#include <algorithm>
#include <boost/sort/spreadsort/float_sort.hpp>
#include <cassert>
#include <cmath>

namespace mash {

Thresholds::Thresholds(std::span<const float> values) : size_(std::uint32_t(values.size())) {
  assert(values.size() <= kMax);
  values_.fill(kPadding);
  std::copy(values.begin(), values.end(), values_.begin());
}

float cut_between(float lo, float hi) {
  if (std::isinf(lo) || std::isinf(hi)) return hi;
  const float middle = lo + (hi - lo) / 2;
  return middle > lo && middle <= hi ? middle : hi;
}

Thresholds choose_thresholds(std::span<float> values) {
  const auto first_nan = std::partition(values.begin(), values.end(), [](float x) { return !std::isnan(x); });
  const bool has_nan = first_nan != values.end();
  boost::sort::spreadsort::float_sort(values.begin(), first_nan);
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
