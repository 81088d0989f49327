// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "raw.hpp"

namespace {
// Features 0 to 4: NaN, infinity, minus infinity, not written at all, 5.
std::int32_t not_finite(mash_state_t*, const std::uint32_t* indices, std::uint32_t num_features, float* out) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (std::uint32_t i = 0; i < num_features; ++i) {
    const std::uint32_t feature_idx = indices ? indices[i] : i;
    if (feature_idx == 0) out[i] = std::numeric_limits<float>::quiet_NaN();
    if (feature_idx == 1) out[i] = kInfinity;
    if (feature_idx == 2) out[i] = -kInfinity;
    if (feature_idx >= 4) out[i] = 5;
  }
  return MASH_OK;
}
}  // namespace

RAW_PLUGIN("not-finite", h.compute = &not_finite)
