// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "framework/extractors/catalogue.hpp"
#include "framework/isolation/isolated_host.hpp"

namespace mash {

// The SHA-256 of the heuristics that belong to this program: those of the file shipped.sha256 (as sha256sum
// writes it) in each of the folders. Folders without one have none.
std::set<std::string> shipped_hashes(std::span<const std::filesystem::path> folders);

// Looks at plugins and runs them where the settings say. Nothing of a plugin that is not to run in this
// process runs in it, its static constructors included. work: outlives the looking; its remarks, which hear
// what heuristics log, outlive the host and its instances too.
PluginAccess access_to_plugins(const IsolationSettings& settings, const WorkContext& work);

}  // namespace mash
