// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/operations/training/dry_run.hpp"

namespace mash {

// Prints a forecast for people.
void print_text(const DryRun& forecast);

}  // namespace mash
