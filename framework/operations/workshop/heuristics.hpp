// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "framework/base/settings.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/workshop/named_heuristic.hpp"

namespace mash {

// A heuristic with its settings, and the number of its features on a view; an error where it has none on this
// view.
struct ListedHeuristic {
  HeuristicInfo info;
  std::vector<double> values = {};  // of its parameters: those that were given, and defaults
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

// A heuristic to show: a name for find_named_heuristic, settings in place of its defaults, and the view.
struct HeuristicToShow {
  std::string name;
  Settings settings = {};
  mash_size_t view{};
};

// One heuristic. Errors: those of find_named_heuristic and find_in; a plugin that was named is refused, or
// the heuristic does not have or take a setting (kInput).
Diagnosed<ListedHeuristic> show_heuristic(const HeuristicToShow& what, const PluginPlaces& places,
                                          const WorkContext& work);

// The documents that --json prints; their keys are a contract.
nlohmann::ordered_json to_json(const ListedHeuristic& heuristic);
nlohmann::ordered_json to_json(const HeuristicList& list);

}  // namespace mash
