// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

namespace {
std::int32_t no_features(mash_instance_t*, mash_size_t, std::uint32_t* out) {
  *out = 0;
  return MASH_OK;
}
}  // namespace

RAW_PLUGIN("dim-zero", h.dim = &no_features)
