// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

namespace {
std::int32_t nothing(mash_instance_t*, const mash_image_t*, const mash_view_t*, mash_state_t**) {
  return MASH_OK;
}
}  // namespace

RAW_PLUGIN("null-state", h.prepare = &nothing)
