// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/doctor.hpp"

#include <cstdlib>

#include "framework/base/instruction_set.hpp"
#include "framework/operations/places.hpp"
#include "framework/operations/sdk.hpp"

namespace mash {

Result<SystemReport> inspect_system(const PluginPlaces& places) {
  MASH_ASSIGN(const Catalogue catalogue, open_catalogue(places, no_remarks()));
  SystemReport report;
  report.machine = this_machine();
  for (const char* target : instruction_sets()) report.instruction_sets.emplace_back(target);
  report.database = default_database();
  report.store = default_store();
  report.store_free_bytes = free_bytes(report.store);
  if (const char* data = std::getenv("MASH_DATA")) report.data = data;
  report.heuristic_folders = heuristic_folders({});
  report.num_heuristics = catalogue.heuristics().size();
  report.refused = catalogue.refused();
  if (const auto sdk = Sdk::find(); sdk.ok()) report.sdk = sdk->prefix();
  report.box = try_box_layers();
  return report;
}

}  // namespace mash
