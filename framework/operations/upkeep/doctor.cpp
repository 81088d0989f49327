// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/upkeep/doctor.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "classifiers/scan/kernels/pass_width.hpp"
#include "framework/base/instruction_set.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/workshop/sdk.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Result<SystemReport> inspect_system(const PluginPlaces& places, const WorkContext& work) {
  MASH_ASSIGN(const Catalogue catalogue,
              open_catalogue(places, {work.workers, work.progress, no_remarks(), work.stop}));
  SystemReport report;
  report.machine = this_machine();
  for (const char* target : instruction_sets()) report.instruction_sets.emplace_back(target);
  report.implementation = implementation_name(report.machine.instruction_set);
  choose_fastest_pass_width();
  report.pass_width = pass_width();
  report.database = default_database();
  report.room = store_room(default_store());
  if (!report.room.is_enough())
    work.remarks.warn(report.room.in_words() + ": a runner with such a store takes no submission");
  if (const char* data = std::getenv("MASH_DATA")) report.data = data;
  report.heuristic_folders = heuristic_folders({});
  report.num_heuristics = catalogue.heuristics().size();
  report.refused = catalogue.refused();
  if (const auto sdk = Sdk::find(); sdk.ok()) report.sdk = sdk->prefix();
  report.box = try_box_layers();
  return report;
}

Json to_json(const SystemReport& report) {
  const MachineInfo& machine = report.machine;
  Json json{{"version", MASH_VERSION},    {"cpu", machine.cpu},
            {"cores", machine.num_cores}, {"memory_bytes", machine.memory_bytes},
            {"os", machine.os},           {"scan_instruction_set", machine.instruction_set}};
  json["instruction_sets"] = report.instruction_sets;
  json["implementation"] = report.implementation;
  json["pass_width"] = report.pass_width;
  json["database"] = report.database.string();
  json["store"] = report.room.store.string();
  json["store_free_bytes"] = report.room.free_bytes;
  json["store_wanted_bytes"] = report.room.wanted_bytes;
  json["data"] = report.data ? Json(*report.data) : Json();
  json["heuristic_folders"] = Json::array();
  for (const auto& folder : report.heuristic_folders) json["heuristic_folders"].push_back(folder.string());
  json["heuristics"] = report.num_heuristics;
  json["refused_plugins"] = to_json(report.refused);
  json["sdk"] = report.sdk ? Json(report.sdk->string()) : Json();
  json["box"] = Json::array();
  for (const BoxLayer& layer : report.box)
    json["box"].push_back({{"layer", layer.name},
                           {"needed", layer.is_needed},
                           {"active", layer.is_active},
                           {"finding", layer.finding}});
  // The default, where neither the experiment nor --isolation says anything.
  json["isolation"] = "none for the heuristics that come with mash, process for all others";
  return json;
}

}  // namespace mash
