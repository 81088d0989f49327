// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <vector>

namespace mash {

// Where the heuristics that belong to a program lie, those that exist: <prefix>/lib*[/*]/mash/heuristics for
// <prefix>/bin/mash, <build>/heuristics for <build>/bin/mash.
std::vector<std::filesystem::path> installed_heuristic_folders(const std::filesystem::path& program);

// The folders that are searched: `extra` (--heuristics), $MASH_HEURISTICS (separated by ':'), then the
// installed ones (beside the program's lib folder or, in a build tree, the build's).
std::vector<std::filesystem::path> heuristic_folders(std::span<const std::filesystem::path> extra);

}  // namespace mash
