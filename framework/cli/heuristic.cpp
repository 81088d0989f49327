// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/heuristic.hpp"

#include "framework/cli/json_output.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

struct HeuristicOptions {
  OutputOptions output;
  CatalogueOptions catalogue;
  std::string id;
  std::uint32_t width = 28, height = 28;
};

// The number of features of a heuristic with its default settings.
Result<std::uint32_t> default_dim(const HeuristicInfo& info, Catalogue& catalogue, mash_size_t size) {
  MASH_ASSIGN(const auto values, parameter_values(info, {}));
  MASH_ASSIGN(const auto instance, catalogue.host().open(info, values));
  return instance->dim(size);
}

std::string_view type_name(ParameterInfo::Type type) {
  switch (type) {
    case ParameterInfo::Type::kInteger: return "integer";
    case ParameterInfo::Type::kReal: return "real";
    case ParameterInfo::Type::kChoice: return "choice";
  }
  return "";
}

Json to_json(const HeuristicInfo& info, const Result<std::uint32_t>& dim) {
  Json json{{"id", info.id},
            {"version", info.version},
            {"author", info.author},
            {"summary", info.summary},
            {"license", info.license},
            {"plugin", info.plugin.string()},
            {"sha256", info.plugin_sha256}};
  json["dim"] = dim.ok() ? Json(*dim) : Json();
  if (!dim.ok()) json["dim_error"] = dim.error().message;
  json["parameters"] = Json::array();
  for (const ParameterInfo& parameter : info.parameters) {
    Json one{{"id", parameter.id}, {"summary", parameter.summary}, {"type", type_name(parameter.type)}};
    if (parameter.type == ParameterInfo::Type::kChoice) {
      one["default"] = parameter.choices[std::size_t(parameter.default_value)];
      one["choices"] = parameter.choices;
    } else {
      one["default"] = parameter.default_value;
      one["minimum"] = parameter.minimum;
      one["maximum"] = parameter.maximum;
    }
    json["parameters"].push_back(std::move(one));
  }
  return json;
}

Status list(const HeuristicOptions& options) {
  MASH_ASSIGN(Catalogue catalogue, options.catalogue.open());
  Json json{
      {"view", {options.width, options.height}}, {"heuristics", Json::array()}, {"refused", Json::array()}};
  if (!options.output.json)
    fmt::print("{:<22} {:<9} {:>7}  {:<20} {}\n", "heuristic", "version", "dim", "author", "summary");
  for (const HeuristicInfo& info : catalogue.heuristics()) {
    const auto dim = default_dim(info, catalogue, {options.width, options.height});
    if (options.output.json)
      json["heuristics"].push_back(to_json(info, dim));
    else
      fmt::print("{:<22} {:<9} {:>7}  {:<20} {}\n", info.id, info.version,
                 dim.ok() ? fmt::format("{}", *dim) : "-", info.author, info.summary);
  }
  for (const RefusedPlugin& refused : catalogue.refused()) {
    json["refused"].push_back({{"file", refused.file.string()}, {"reason", refused.reason}});
    if (!options.output.json) fmt::print("refused: {}: {}\n", refused.file.string(), refused.reason);
  }
  if (options.output.json) print_json(json);
  if (!options.output.json && catalogue.heuristics().empty())
    fmt::print("none; put plugins into a folder and name it with --heuristics\n");
  return Done{};
}

Status show(const HeuristicOptions& options) {
  MASH_ASSIGN(Catalogue catalogue, options.catalogue.open());
  MASH_ASSIGN(const HeuristicInfo* info, catalogue.find(options.id));
  const auto dim = default_dim(*info, catalogue, {options.width, options.height});
  if (options.output.json) {
    print_json(to_json(*info, dim));
    return Done{};
  }
  fmt::print("{} {}: {}\nby {}, {}\nplugin {}\nsha256 {}\n", info->id, info->version, info->summary,
             info->author, info->license, info->plugin.string(), info->plugin_sha256);
  fmt::print("{} features on {}x{} pixels\n", dim.ok() ? fmt::format("{}", *dim) : dim.error().message,
             options.width, options.height);
  for (const ParameterInfo& parameter : info->parameters) {
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
  CLI::App* parent =
      program.add_subcommand("heuristic", "Heuristics: those that are installed, and one's own");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash heuristic list");
  const auto options = std::make_shared<HeuristicOptions>();
  const auto add = [&](const char* name, const char* summary) {
    CLI::App* app = parent->add_subcommand(name, summary);
    options->output.add_to(*app);
    options->catalogue.add_to(*app);
    app->add_option("--width", options->width, "Of the view that features are counted for")
        ->check(CLI::Range(1, 16384))
        ->capture_default_str();
    app->add_option("--height", options->height, "Of that view")
        ->check(CLI::Range(1, 16384))
        ->capture_default_str();
    return app;
  };
  CLI::App* list_app = add("list", "All heuristics, and the plugins that were refused, with the reason");
  list_app->footer("Example:\n  mash heuristic list --heuristics ./build");
  CLI::App* show_app = add("show", "One heuristic with its settings");
  show_app->add_option("ID", options->id, "As mash heuristic list shows it")->required();
  show_app->footer("Example:\n  mash heuristic show hog --width 64 --height 128");
  std::vector<Subcommand> subcommands{add_heuristic_check(*parent)};
  subcommands.push_back({list_app, [options] { return list(*options); }});
  subcommands.push_back({show_app, [options] { return show(*options); }});
  for (const auto add_one : {add_heuristic_new, add_heuristic_build, add_heuristic_watch, add_heuristic_try})
    subcommands.push_back(add_one(*parent));
  return subcommands;
}

}  // namespace mash
