// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/upkeep/doctor.hpp"

#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/commandline/version.hpp"

namespace mash {
namespace {

const char* state_of_layer(const BoxLayer& layer) {
  if (layer.is_active) return "active";
  return layer.is_needed ? "MISSING" : "missing, and boxes are made without it";
}

}  // namespace

Subcommand add_doctor(CLI::App& program) {
  struct State {
    OutputOptions output;
    PluginPlaces plugins;
  };
  const auto state = std::make_shared<State>();
  CLI::App* app =
      program.add_subcommand("doctor", "What this machine can do, and where files are looked for and kept");
  state->output.add_to(*app);
  add_plugin_options(*app, state->plugins);
  app->footer("Example:\n  mash doctor --json");
  return {app, [state]() -> Status {
            const CommandWork work(state->output, 0, true);
            MASH_ASSIGN(const SystemReport report, inspect_system(state->plugins, work.context()));
            nlohmann::ordered_json json = to_json(report);
            json["commit"] = source_commit();
            json["compiler"] = compiler();
            if (state->output.json) {
              print_json(json);
              return Done{};
            }
            for (const auto& [key, value] : json.items())
              if (key != "box")
                fmt::print("{:<22} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
            for (const BoxLayer& layer : report.box)
              fmt::print("{:<22} {}: {}\n", "box: " + layer.name, state_of_layer(layer), layer.finding);
            return Done{};
          }};
}

}  // namespace mash
