// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace mash {

// The instruction set ("AVX3") that vectorised code uses here: the best that both this build and this CPU
// have, unless a test has chosen another.
const char* instruction_set();
// All that both have, best first.
std::span<const char* const> instruction_sets();

// For tests: from now on one of instruction_sets(), or "" for the best again. false, with the best in use,
// where there is none of that name. Not while other threads compute.
bool choose_instruction_set(const char* name);

}  // namespace mash
