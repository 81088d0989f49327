// SPDX-License-Identifier: Apache-2.0
#include "raw.hpp"

void mash_test_nobody_defines_this();

namespace {
void release(mash_state_t*) { mash_test_nobody_defines_this(); }
}  // namespace

RAW_PLUGIN("undefined-symbol", h.release = &release)
