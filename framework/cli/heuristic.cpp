// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/heuristic.hpp"

#include <fmt/ranges.h>

#include "framework/base/utf8.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/operations/experiment/heuristic_settings.hpp"
#include "framework/operations/workshop/heuristics.hpp"

namespace mash {
namespace {

struct HeuristicOptions {
  OutputOptions output;
  PluginPlaces plugins;
  std::string name;
  std::vector<std::string> own;  // --setting
  mash_size_t view{28, 28};
};

Status list_plugins(const HeuristicOptions& options) {
  const CommandWork work(options.output, 0, true);
  MASH_ASSIGN(const HeuristicList list, list_heuristics(options.plugins, options.view, work.context()));
  if (options.output.json) {
    print_json(to_json(list));
    return Done{};
  }
  fmt::print("{:<22} {:<9} {:>7}  {:<20} {}\n", "heuristic", "version", "dim", "author", "summary");
  for (const auto& [info, values, dim] : list.heuristics)
    fmt::print("{:<22} {:<9} {:>7}  {:<20} {}\n", info.id, info.version,
               dim.ok() ? fmt::format("{}", *dim) : "-", info.author, info.summary);
  for (const RefusedPlugin& refused : list.refused)
    fmt::print("refused: {}: {}\n", printable(refused.file.string()), printable(refused.reason, 4000));
  if (list.heuristics.empty()) fmt::print("none; put plugins into a folder and name it with --heuristics\n");
  return Done{};
}

Status show_plugin(const HeuristicOptions& options) {
  HeuristicToShow what{options.name, {}, options.view};
  MASH_ASSIGN(what.settings, parse_heuristic_settings({options.own, "--setting"}));
  const CommandWork work(options.output);
  MASH_ASSIGN(const ListedHeuristic heuristic,
              options.output.result_of(show_heuristic(what, options.plugins, work.context())));
  if (options.output.json) {
    print_json(to_json(heuristic));
    return Done{};
  }
  const auto& [info, values, dim] = heuristic;
  fmt::print("{} {}: {}\nby {}, {}\nplugin {}\nsha256 {}\n", info.id, info.version, info.summary, info.author,
             info.license, printable(info.plugin.string()), info.plugin_sha256);
  fmt::print("{} features on {}x{} pixels{}\n", dim.ok() ? fmt::format("{}", *dim) : dim.error().message,
             options.view.width, options.view.height,
             options.own.empty() ? "" : fmt::format(" with {}", describe_values(info, values)));
  if (info.looks_back > 0) fmt::print("pictures of a film that it looks back at: {}\n", info.looks_back);
  for (const ParameterInfo& parameter : info.parameters) {
    if (parameter.type == ParameterInfo::Type::kChoice)
      fmt::print("  {:<14} {} (one of {}; {})\n", parameter.id, parameter.summary,
                 fmt::join(parameter.choices, ", "), parameter.choices[std::size_t(parameter.default_value)]);
    else
      fmt::print("  {:<14} {} ({} to {}; {})\n", parameter.id, parameter.summary, parameter.minimum,
                 parameter.maximum, parameter.default_value);
  }
  return Done{};
}

}  // namespace

std::vector<Subcommand> add_heuristic(CLI::App& program) {
  CLI::App* parent = program.add_subcommand(
      "heuristic", "Heuristics: show what is installed; write, check and try your own");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash heuristic list");
  const auto options = std::make_shared<HeuristicOptions>();
  const auto add = [&](const char* name, const char* summary) {
    CLI::App* app = parent->add_subcommand(name, summary);
    options->output.add_to(*app);
    add_plugin_options(*app, options->plugins);
    app->add_option("--width", options->view.width, "Width in pixels of the images to count features for")
        ->type_name("N")
        ->check(within(1, 16384))
        ->capture_default_str();
    app->add_option("--height", options->view.height, "Height of these images")
        ->type_name("N")
        ->check(within(1, 16384))
        ->capture_default_str();
    return app;
  };
  CLI::App* list_app = add("list", "All heuristics, and the plugins that were refused, with the reason");
  list_app->footer("Example:\n  mash heuristic list --heuristics ./build");
  CLI::App* show_app = add("show", "One heuristic with its settings");
  add_heuristic_argument(*show_app, options->name)->required();
  add_setting_option(*show_app, options->own);
  show_app->footer(
      "Examples:\n  mash heuristic show hog --width 64 --height 128\n  mash heuristic show ./my-edges\n"
      "  mash heuristic show phog --setting level=2");
  std::vector<Subcommand> subcommands{add_heuristic_check(*parent)};
  subcommands.push_back({list_app, [options] { return list_plugins(*options); }});
  subcommands.push_back({show_app, [options] { return show_plugin(*options); }});
  for (const auto add_one :
       {add_heuristic_new, add_heuristic_build, add_heuristic_watch, add_heuristic_try, add_heuristic_tune})
    subcommands.push_back(add_one(*parent));
  return subcommands;
}

}  // namespace mash
