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

// The remark of a report whose trainings had fewer rounds than the publication's.
inline constexpr std::string_view kFewerRounds =
    "fewer rounds than those of the publication: nothing is concluded about its figures";

}  // namespace mash
