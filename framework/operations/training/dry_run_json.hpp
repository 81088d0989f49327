// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "framework/operations/training/dry_run.hpp"

namespace mash {

// What `mash run --dry-run --json` prints; its keys are a contract.
nlohmann::ordered_json to_json(const DryRun& forecast);

}  // namespace mash
