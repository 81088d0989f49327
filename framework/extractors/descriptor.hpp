// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/base/result.hpp"
#include "framework/extractors/heuristic_info.hpp"
#include "mash/abi/heuristic.h"

namespace mash {

// Copies what a heuristic says about itself out of a loaded plugin, leaving `plugin` and `plugin_sha256`
// empty. Errors (kInput): a null function or string, text with control characters, an id or version that is
// not of the documented form, unknown flags, a parameter without sense (range upside down, default outside
// it); each names the heuristic and what was expected.
Result<HeuristicInfo> read_descriptor(const mash_heuristic_t& heuristic);

// The pictures that a heuristic looks back at, as it says itself. Errors (kInput): more than the ABI allows.
Status check_looks_back(std::uint64_t looks_back);

}  // namespace mash
