// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/plugins.hpp"

#include "framework/isolation/plugin_access.hpp"
#include "framework/operations/places.hpp"

namespace mash {

PluginAccess access_to_plugins(const PluginPlaces& places, Remarks& remarks) {
  return access_to_plugins(
      {places.isolation, WorkerBudget{}.times(places.patience), default_store() / "plugins"}, remarks);
}

Result<Catalogue> open_catalogue(const PluginPlaces& places, Remarks& remarks) {
  return Catalogue::open(places.named, access_to_plugins(places, remarks));
}

}  // namespace mash
