// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "framework/base/running_program.hpp"

namespace mash::testing {

// Whether a user without any rights can run this program, and those beside it, where they are: not in the
// home of root.
inline bool anyone_can_run_this() {
  std::filesystem::path path = running_program();
  const auto may_pass = [](const std::filesystem::path& place) {
    using std::filesystem::perms;
    return (std::filesystem::status(place).permissions() & perms::others_exec) != perms::none;
  };
  while (may_pass(path) && path.has_relative_path()) path = path.parent_path();
  return !path.has_relative_path();
}
inline constexpr const char* kNotForOthers =
    "another user cannot enter the folder of this program: chmod o+x lets it";

}  // namespace mash::testing
