// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace mash {

// The verdict of runs or repetitions on a claim, at 95 %.
enum class Verdict { kHeld, kRefuted, kUndecided };
std::string_view to_string(Verdict verdict);

// Held where all are, refuted where one is, undecided otherwise. REQUIRES: at least one.
Verdict verdict_of_all(std::span<const Verdict> verdicts);

}  // namespace mash
