// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "framework/operations/site/client.hpp"

namespace mash {

// The address in $MASH_SERVER; "" where it has none.
std::string server_of_environment();

// Which server, and who asks it. A token is no option: everybody on the machine sees those.
struct ServerOptions {
  std::string server, token_file;

  void add_to(CLI::App& command);
  // Errors (kInput): no server, or a file that is none of a token; where needs_token, no token.
  Result<ServerAccess> access(bool needs_token) const;
};

}  // namespace mash
