// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/checks/check.hpp"

namespace mash::checks {

// The finding of the check of that id on a plugin's file, which is read and not loaded: in a process that has
// run none of its code, so that the finding is no claim. An error is a failure with that evidence. REQUIRES:
// such a check.
Result<Finding> inspect(std::string_view check, const std::filesystem::path& plugin);

}  // namespace mash::checks
