// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

namespace {
std::int32_t unknown(mash_state_t*, const std::uint32_t*, std::uint32_t, float*) { return 17; }
}  // namespace

RAW_PLUGIN("unknown-status", h.compute = &unknown)
