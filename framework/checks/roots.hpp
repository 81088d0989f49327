// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/checks/supervisor.hpp"

namespace mash::checks {

// Says of each failure and warning which other failure it comes of, if any: a heuristic that reads outside
// its picture also gives other values the next time, on another thread and in a larger image. Sets
// follows_from, which is never itself one that follows.
void find_roots(CheckReport& report);

// Those that follow from a result.
std::vector<const CheckResult*> consequences_of(const CheckReport& report, const CheckResult& root);

// The failure that explains most; null where none failed. REQUIRES: find_roots(report)
const CheckResult* main_cause(const CheckReport& report);

// Where in the source the fault is, "edges.cpp:12", which a result or one that follows from it may know; "".
std::string place_of(const CheckReport& report, const CheckResult& root);

// Advice for a check that failed or warned, one sentence; empty for others, and for what follows from another
// failure.
std::string_view advice_of(const CheckResult& result);

}  // namespace mash::checks
