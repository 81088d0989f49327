// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace mash {

// A file of framework/cli/completion/, built into the program so that it is there wherever the program is.
struct CompletionScript {
  std::string_view name;  // of the shell
  std::string_view summary;
  std::string_view text;
};
std::span<const CompletionScript> completion_scripts();

}  // namespace mash
