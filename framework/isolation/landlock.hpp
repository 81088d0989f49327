// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

#include "framework/base/result.hpp"

namespace mash {

// Ability of the kernel's Landlock here: the version of its interface; 0: it has none, or is switched off.
int landlock_version();

// From now on this thread and what it starts may only read files, and only in the given files and folders;
// those that are not there are left out. Where the version knows them, connections, signals to others and
// abstract sockets are refused as well. For good; a later call can only take away. To be called before
// allow_loading, by a process of one thread. Without Landlock nothing happens: this is a layer beside those
// that must hold.
// Errors (kFailure): the kernel has Landlock and refuses.
Status read_only_below(std::span<const std::filesystem::path> places);

}  // namespace mash
