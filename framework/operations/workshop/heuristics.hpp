// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "framework/operations/common/plugins.hpp"
#include "framework/operations/workshop/named_heuristic.hpp"

namespace mash {

// A heuristic with the number of its features on a view, with default settings; an error where it has none on
// this view.
struct ListedHeuristic {
  HeuristicInfo info;
  Result<std::uint32_t> dim = 0;
};
struct HeuristicList {
  mash_size_t view{};
  std::vector<ListedHeuristic> heuristics;  // by id
  std::vector<RefusedPlugin> refused;
};

// All heuristics that are found. Errors: those of open_catalogue.
Result<HeuristicList> list_heuristics(const PluginPlaces& places, mash_size_t view, const WorkContext& work);

// The names of the plugin files in the usual folders. They are mostly the names of the heuristics, and are
// found quickly, because no plugin is opened.
std::vector<std::string> names_of_found_plugins();

// One heuristic. name: as for find_named_heuristic. Errors: those of find_named_heuristic and find_in; a
// plugin that was named is refused (kInput).
Diagnosed<ListedHeuristic> show_heuristic(const std::string& name, const PluginPlaces& places,
                                          mash_size_t view, const WorkContext& work);

// The documents that --json prints; their keys are a contract.
nlohmann::ordered_json to_json(const ListedHeuristic& heuristic);
nlohmann::ordered_json to_json(const HeuristicList& list);

}  // namespace mash
