// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "raw.hpp"

// Shows whether it was loaded, though its handshake alone is reason enough to refuse it.
namespace {
[[maybe_unused]] const int kDone = ::setenv("MASH_TEST_RAN_AT_LOAD", "1", 1);
}  // namespace

RAW_PLUGIN("runs-at-load", p.abi_version = 0)
