// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

namespace {
std::int32_t absurd(mash_instance_t*, mash_size_t, std::uint32_t* out) {
  *out = 4000000000u;
  return MASH_OK;
}
}  // namespace

RAW_PLUGIN("dim-absurd", h.dim = &absurd)
