// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/common/verdict.hpp"

#include <algorithm>

#include "framework/base/require.hpp"

namespace mash {

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHeld: return "held";
    case Verdict::kRefuted: return "refuted";
    case Verdict::kUndecided: break;
  }
  return "undecided";
}

Verdict verdict_of_all(std::span<const Verdict> verdicts) {
  require(!verdicts.empty(), "verdict_of_all: at least one");
  const auto count = [&](Verdict verdict) { return std::ranges::count(verdicts, verdict); };
  if (count(Verdict::kRefuted) > 0) return Verdict::kRefuted;
  return count(Verdict::kUndecided) > 0 ? Verdict::kUndecided : Verdict::kHeld;
}

}  // namespace mash
