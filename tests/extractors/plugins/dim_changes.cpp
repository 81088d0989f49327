// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

namespace {
std::int32_t one_more_each_time(mash_instance_t* handle, mash_size_t, std::uint32_t* out) {
  *out = ++raw::instance_of(handle).dim;
  return MASH_OK;
}
}  // namespace

RAW_PLUGIN("dim-changes", h.dim = &one_more_each_time)
