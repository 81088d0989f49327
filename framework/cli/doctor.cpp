// SPDX-License-Identifier: Apache-2.0
#include "classifiers/scan/histogram.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/machine.hpp"
#include "framework/cli/options.hpp"
#include "framework/cli/sdk.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

// The nearest folder above `path` that exists: where its disk space is.
std::uint64_t free_bytes(std::filesystem::path path) {
  std::error_code code;
  while (!std::filesystem::exists(path, code) && path.has_relative_path()) path = path.parent_path();
  const auto space = std::filesystem::space(path, code);
  return code ? 0 : space.available;
}

Json diagnose(Catalogue& catalogue) {
  const MachineInfo machine = this_machine();
  Json json{{"version", MASH_VERSION},    {"cpu", machine.cpu},
            {"cores", machine.num_cores}, {"memory_bytes", machine.memory_bytes},
            {"os", machine.os},           {"scan_instruction_set", machine.instruction_set}};
  for (const char* target : scan_targets()) json["instruction_sets"].push_back(target);
  json["database"] = default_database().string();
  json["store"] = default_store().string();
  json["store_free_bytes"] = free_bytes(default_store());
  const char* data = std::getenv("MASH_DATA");
  json["data"] = data ? Json(data) : Json();
  json["heuristic_folders"] = Json::array();
  for (const auto& folder : heuristic_folders({})) json["heuristic_folders"].push_back(folder.string());
  json["heuristics"] = catalogue.heuristics().size();
  json["refused_plugins"] = Json::array();
  for (const RefusedPlugin& refused : catalogue.refused())
    json["refused_plugins"].push_back({{"file", refused.file.string()}, {"reason", refused.reason}});
  const auto sdk = Sdk::find();
  json["sdk"] = sdk.ok() ? Json(sdk->prefix().string()) : Json();
  json["isolation"] = "none: heuristics run in this process; use only plugins that you trust";
  return json;
}

}  // namespace

Subcommand add_doctor(CLI::App& program) {
  struct State {
    OutputOptions output;
    CatalogueOptions catalogue;
  };
  const auto state = std::make_shared<State>();
  CLI::App* app = program.add_subcommand("doctor", "What this machine can do, and where things are kept");
  state->output.add_to(*app);
  state->catalogue.add_to(*app);
  app->footer("Example:\n  mash doctor --json");
  return {app, [state]() -> Status {
            MASH_ASSIGN(Catalogue catalogue, state->catalogue.open());
            const Json json = diagnose(catalogue);
            if (state->output.json) {
              print_json(json);
              return Done{};
            }
            for (const auto& [key, value] : json.items())
              fmt::print("{:<22} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
            return Done{};
          }};
}

}  // namespace mash
