// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/cli/options.hpp"

namespace mash {

// `mash heuristic check`, and the hidden subcommand that is its worker.
std::vector<Subcommand> add_heuristic_check(CLI::App& heuristic);

}  // namespace mash
