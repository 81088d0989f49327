// SPDX-License-Identifier: Apache-2.0
#include "tests/extractors/plugins/raw.hpp"

// Lets an exception through the C interface.
namespace {
std::int32_t create(const mash_host_t*, const double*, std::uint32_t, mash_instance_t**) { throw 42; }
}  // namespace

RAW_PLUGIN("test-faulty", h.create = &create)
