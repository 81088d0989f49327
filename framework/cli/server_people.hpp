// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/cli/server_commands.hpp"

namespace mash {

// `mash server user …`
void add_user_commands(AdminCommands& commands);
// `mash server invite`
void add_invite_command(AdminCommands& commands);

}  // namespace mash
