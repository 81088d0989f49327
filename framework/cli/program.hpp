// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mash {

// The `mash` program: parses the command line, runs a subcommand, returns the exit code: 0 success, 1 the
// work failed, 2 wrong usage or input.
int run_program(int argc, char** argv);

}  // namespace mash
