// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/schema.hpp"

#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/experiment/keys.hpp"

namespace mash {
namespace {

struct SchemaState {
  OutputOptions output;
  PluginPlaces plugins;
  bool markdown = false, found_heuristics = false;
};

Status print_schema(const SchemaState& options) {
  if (options.markdown) {
    fmt::print("{}", experiment_key_tables());
    return Done{};
  }
  if (!options.found_heuristics) {
    print_json(experiment_schema());
    return Done{};
  }
  const CommandWork work(options.output);
  MASH_ASSIGN(const Catalogue catalogue, open_catalogue(options.plugins, work.context()));
  warn_of_refused(catalogue, work.context().remarks);
  print_json(experiment_schema(catalogue.heuristics()));
  return Done{};
}

}  // namespace

std::vector<Subcommand> add_schema(CLI::App& program) {
  CLI::App* parent = program.add_subcommand(
      "schema", "Schemas of the files that mash reads, with which editors check and complete them");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash schema experiment > experiment.schema.json");
  const auto options = std::make_shared<SchemaState>();
  CLI::App* app = parent->add_subcommand("experiment", "The JSON schema of experiment files");
  options->output.add_to(*app);
  CLI::Option* found =
      app->add_flag("--found-heuristics", options->found_heuristics,
                    "Allow only the heuristics that are found now, and describe their settings");
  add_plugin_options(*app, options->plugins);
  app->add_flag("--markdown", options->markdown, "All keys as tables to read, not as a schema")
      ->excludes(found);
  app->footer(
      "Examples:\n  mash schema experiment > experiment.schema.json\n"
      "  mash schema experiment --markdown\n"
      "An editor with yaml-language-server checks and completes an experiment file whose first line is\n"
      "  # yaml-language-server: $schema=experiment.schema.json");
  return {{app, [options] { return print_schema(*options); }}};
}

}  // namespace mash
