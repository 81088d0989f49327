// SPDX-License-Identifier: Apache-2.0
#include "framework/families/quantiser.hpp"

#include <algorithm>
#include <bit>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <cassert>
#include <cmath>

namespace mash {
namespace {

// Sorts numbers by their bits, which takes a third of the time of comparisons. As integers, because Boost's
// float_sort subtracts signed bits, and that overflows where there are values of both signs. REQUIRES: no
// NaN.
void sort_numbers(std::span<float> values) {
  constexpr std::uint32_t kSign = 0x80000000, kAll = 0xffffffff;
  std::vector<std::uint32_t> keys;  // in the order of the numbers
  keys.reserve(values.size());
  for (const float x : values) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    keys.push_back(bits ^ (bits & kSign ? kAll : kSign));
  }
  boost::sort::spreadsort::integer_sort(keys.begin(), keys.end());
  for (std::size_t i = 0; i < keys.size(); ++i)
    values[i] = std::bit_cast<float>(keys[i] ^ (keys[i] & kSign ? kSign : kAll));
}

}  // namespace

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
