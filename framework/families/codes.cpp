// SPDX-License-Identifier: Apache-2.0
#include "framework/families/codes.hpp"

#include <algorithm>
#include <cmath>

#include "framework/base/instruction_set.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "framework/families/codes.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kGroup = 16;  // thresholds that are compared at once; 16 groups of them

// How many of kGroup increasing numbers are <= x.
HWY_INLINE std::size_t count_at_or_below(const float* HWY_RESTRICT numbers, float x) {
  const hn::CappedTag<float, kGroup> d;
  const auto wanted = hn::Set(d, x);
  std::size_t count = 0;
  for (std::size_t i = 0; i < kGroup; i += hn::Lanes(d))
    count += hn::CountTrue(d, hn::Le(hn::LoadU(d, numbers + i), wanted));
  return count;
}

// thresholds: kGroup * kGroup, increasing, infinite after the first `size`.
void find_codes(const float* HWY_RESTRICT thresholds, std::size_t size, const float* HWY_RESTRICT values,
                std::size_t num_values, std::uint8_t* HWY_RESTRICT out) {
  float last_of_group[kGroup];
  for (std::size_t g = 0; g < kGroup; ++g) last_of_group[g] = thresholds[kGroup * g + kGroup - 1];
  for (std::size_t n = 0; n < num_values; ++n) {
    const std::size_t group = std::min(count_at_or_below(last_of_group, values[n]), kGroup - 1);
    const std::size_t code = kGroup * group + count_at_or_below(thresholds + kGroup * group, values[n]);
    out[n] = std::uint8_t(std::min(code, size));  // infinity is not below what fills up
  }
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(find_codes);

}  // namespace

void find_codes(std::span<const float, 256> thresholds, std::size_t size, std::span<const float> values,
                std::uint8_t* out) {
  if (uses_plain_loops()) {
    const auto first = thresholds.begin(), last = first + std::ptrdiff_t(size);
    for (const float value : values)
      *out++ =
          std::isnan(value) ? std::uint8_t(0) : std::uint8_t(std::upper_bound(first, last, value) - first);
    return;
  }
  HWY_DYNAMIC_DISPATCH(find_codes)(thresholds.data(), size, values.data(), values.size(), out);
}

}  // namespace mash
#endif
