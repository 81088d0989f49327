// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

namespace {
std::int32_t nothing(const mash_host_t*, const double*, std::uint32_t, mash_instance_t**) { return MASH_OK; }
}  // namespace

RAW_PLUGIN("null-instance", h.create = &nothing)
