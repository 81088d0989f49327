// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/cli/options.hpp"
#include "framework/operations/workshop/build.hpp"

namespace mash {

// The commands below `mash heuristic`, one of each file: heuristic_new.cpp and so on.
Subcommand add_heuristic_new(CLI::App& parent);
Subcommand add_heuristic_build(CLI::App& parent);
Subcommand add_heuristic_watch(CLI::App& parent);
Subcommand add_heuristic_try(CLI::App& parent);
Subcommand add_heuristic_tune(CLI::App& parent);
Subcommand add_heuristic_check(CLI::App& parent);

// The behaviour of a heuristic right after it was built, in a line.
std::string describe_first_look(const FirstLook& look);

}  // namespace mash
