// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "raw.hpp"

namespace {
int fail() { throw std::runtime_error("no licence"); }
[[maybe_unused]] const int kFailed = fail();
}  // namespace

RAW_PLUGIN("throws-at-load")
