// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/machine.hpp"
#include "framework/base/store_room.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/isolation/box_layers.hpp"
#include "framework/operations/common/plugins.hpp"

namespace mash {

// Abilities of this machine, and the places of files on it.
struct SystemReport {
  MachineInfo machine;
  std::vector<std::string> instruction_sets;  // that the edge search has code for here, best first
  std::string implementation;                 // the one in use, as $MASH_IMPLEMENTATION names it
  std::size_t pass_width = 0;                 // the one in use, as $MASH_PASS_WIDTH names it, or the fastest
  std::filesystem::path database;             // the default
  StoreRoom room;                             // of the default store
  std::optional<std::string> data;            // $MASH_DATA
  std::vector<std::filesystem::path> heuristic_folders;
  std::size_t num_heuristics = 0;
  std::vector<RefusedPlugin> refused;
  std::optional<std::filesystem::path> sdk;  // where it is installed
  std::vector<BoxLayer> box;                 // the walls of a box, each tried
};

// places: plugins and folders of plugins, searched before the usual folders. A remark says where runners
// would find no room on the disk of the store. Errors (kInput): a plugin that was named is refused; kStopped.
Result<SystemReport> inspect_system(const PluginPlaces& places, const WorkContext& work);

// The document that --json prints; its keys are a contract.
nlohmann::ordered_json to_json(const SystemReport& report);

}  // namespace mash
