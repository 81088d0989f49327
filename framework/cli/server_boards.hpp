// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/cli/server_commands.hpp"

namespace mash {

// `mash server board …`
void add_board_commands(AdminCommands& commands);
// `mash server rerun` and `mash server grades`
void add_judging_commands(AdminCommands& commands);

}  // namespace mash
