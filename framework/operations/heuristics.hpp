// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/operations/named_heuristic.hpp"

namespace mash {

// A heuristic with the number of its features, with default settings, on some view; an error where it has
// none there.
struct ListedHeuristic {
  HeuristicInfo info;
  Result<std::uint32_t> dim = 0;
};
struct HeuristicList {
  mash_size_t view{};
  std::vector<ListedHeuristic> heuristics;  // by id
  std::vector<RefusedPlugin> refused;
};

// All heuristics that are found. places: plugins and folders of plugins, before the usual folders. remarks:
// hear what heuristics log. Errors (kInput): a plugin that was named and is refused.
Result<HeuristicList> list_heuristics(const std::vector<std::string>& places, mash_size_t view,
                                      Remarks& remarks);

// One of them. name: what find_named_heuristic takes. Errors: those of find_named_heuristic and find_in; a
// plugin that was named and is refused (kInput).
Diagnosed<ListedHeuristic> show_heuristic(const std::string& name, const std::vector<std::string>& places,
                                          mash_size_t view, const WorkContext& work);

}  // namespace mash
