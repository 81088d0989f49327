// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/isolation/isolation.hpp"

namespace mash {

inline constexpr std::uint32_t kMaxPatience = 10'000;

// Places of plugins, and the place where their code runs.
struct PluginPlaces {
  std::vector<std::string> named = {};  // plugins and folders of plugins, before the usual folders
  Isolation isolation = Isolation::kByOrigin;
  std::uint32_t patience = 1;  // how many times its budget a heuristic in a worker may take
  bool is_wary = false;        // IsolationSettings::is_wary
};

// work: must stay valid while plugins are looked at. Its remarks, which receive what heuristics log, must
// also outlive the catalogue and everything that it opens.
PluginAccess access_to_plugins(const PluginPlaces& places, const WorkContext& work);
// Errors (kInput): a plugin that was named is refused; kStopped.
Result<Catalogue> open_catalogue(const PluginPlaces& places, const WorkContext& work);

// The plugins that were found in folders and refused, a line each: "plugin x.so refused: ...". Among them is
// a heuristic of the program's own whose name a stranger's has taken.
std::vector<std::string> refusals(const Catalogue& catalogue);
// Warns of them. For commands that use heuristics and do not list them.
void warn_of_refused(const Catalogue& catalogue, Remarks& remarks);

// [{file, reason}].
nlohmann::ordered_json to_json(std::span<const RefusedPlugin> plugins);

}  // namespace mash
