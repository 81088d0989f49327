// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// Where the code of heuristics runs.
enum class Isolation {
  kByOrigin,  // shipped heuristics, known by the SHA-256 of their files, as kNone; all others as kProcess
  kNone,      // in this process, with all its rights
  kProcess,   // in worker processes: what a heuristic does wrong ends its worker and nothing else
  kBox,       // in worker processes that reach no file, no network and no other process
};

// Users' names of the last three: "none", "process", "box".
std::string_view to_string(Isolation isolation);  // REQUIRES: not kByOrigin
// Errors (kInput): no such name.
Result<Isolation> isolation_named(std::string_view name);

}  // namespace mash
