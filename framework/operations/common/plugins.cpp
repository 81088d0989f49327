// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/common/plugins.hpp"

#include <nlohmann/json.hpp>

#include "framework/isolation/plugin_access.hpp"
#include "framework/operations/common/places.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

PluginAccess access_to_plugins(const PluginPlaces& places, const WorkContext& work) {
  return access_to_plugins(
      {places.isolation, WorkerBudget{}.times(places.patience), default_store() / "plugins", places.is_wary},
      work);
}

Result<Catalogue> open_catalogue(const PluginPlaces& places, const WorkContext& work) {
  return Catalogue::open(places.named, access_to_plugins(places, work));
}

std::vector<std::string> refusals(const Catalogue& catalogue) {
  std::vector<std::string> lines;
  for (const RefusedPlugin& refused : catalogue.refused())
    lines.push_back(fmt::format("plugin {} refused: {}", refused.file.string(), refused.reason));
  return lines;
}

void warn_of_refused(const Catalogue& catalogue, Remarks& remarks) {
  for (const std::string& line : refusals(catalogue)) remarks.warn(line);
}

Json to_json(std::span<const RefusedPlugin> plugins) {
  Json list = Json::array();
  for (const RefusedPlugin& refused : plugins)
    list.push_back({{"file", refused.file.string()}, {"reason", refused.reason}});
  return list;
}

}  // namespace mash
