// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "framework/base/result.hpp"

namespace mash {

// The implementation of fast loops that is used here: an instruction set of vectorised code ("AVX3"), or
// "SCALAR", the plain loops beside it; "FALLBACK" is vectorised code for machines without vectors. It is the
// best that both this build and this CPU have, unless $MASH_IMPLEMENTATION or a test has chosen another. No
// result depends on it.
const char* instruction_set();
// All that both have, best first; plain loops are the last.
std::span<const char* const> instruction_sets();

// Whether plain loops are to be used: what has vectorised code asks this before it calls that.
bool uses_plain_loops();

// From now on one of instruction_sets(), in any case of letters, or "" for the best again. false, with the
// best in use, where there is none of that name. Not while other threads compute.
bool choose_instruction_set(const char* name);

// One of instruction_sets() as $MASH_IMPLEMENTATION has it: in lower case.
std::string implementation_name(std::string instruction_set);

// Chooses what $MASH_IMPLEMENTATION names, where it is set and not empty. Programs call it when they start.
// Errors (kInput): there is none of that name here; lists the known ones.
Status choose_instruction_set_of_environment();

}  // namespace mash
