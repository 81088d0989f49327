// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/heuristics.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "framework/extractors/search_path.hpp"

namespace mash {
namespace {

using Json = nlohmann::ordered_json;

std::string_view type_name(ParameterInfo::Type type) {
  switch (type) {
    case ParameterInfo::Type::kInteger: return "integer";
    case ParameterInfo::Type::kReal: return "real";
    case ParameterInfo::Type::kChoice: return "choice";
  }
  return "";
}

Result<std::uint32_t> dim_of(const HeuristicInfo& info, std::span<const double> values, Catalogue& catalogue,
                             mash_size_t view) {
  MASH_ASSIGN(const auto instance, catalogue.host().open(info, values));
  return instance->dim(view);
}

// Errors (kInput): a setting that it does not have or take.
Result<ListedHeuristic> listed(const HeuristicInfo& info, const Settings& settings, Catalogue& catalogue,
                               mash_size_t view) {
  MASH_ASSIGN(std::vector<double> values, parameter_values(info, settings));
  auto dim = dim_of(info, values, catalogue, view);
  return ListedHeuristic{info, std::move(values), std::move(dim)};
}

Result<ListedHeuristic> show(const NamedHeuristic& named, const HeuristicToShow& what,
                             const PluginPlaces& places, const WorkContext& work) {
  MASH_ASSIGN(Catalogue catalogue,
              open_catalogue({named.places_before(places.named), places.isolation, places.patience}, work));
  MASH_ASSIGN(const HeuristicInfo* info, find_in(catalogue, named));
  warn_of_refused(catalogue, work.remarks);
  return listed(*info, what.settings, catalogue, what.view);
}

}  // namespace

Result<HeuristicList> list_heuristics(const PluginPlaces& places, mash_size_t view, const WorkContext& work) {
  MASH_ASSIGN(Catalogue catalogue, open_catalogue(places, work));
  HeuristicList list{view, {}, catalogue.refused()};
  for (const HeuristicInfo& info : catalogue.heuristics()) {
    MASH_ASSIGN(list.heuristics.emplace_back(), listed(info, {}, catalogue, view));
  }
  return list;
}

std::vector<std::string> names_of_found_plugins() {
  std::set<std::string> names;
  std::error_code code;
  for (const std::filesystem::path& folder : heuristic_folders({}))
    for (std::filesystem::directory_iterator file(folder, code), end; !code && file != end;
         file.increment(code))
      if (file->path().extension() == ".so") names.insert(file->path().stem().string());
  return {names.begin(), names.end()};
}

Diagnosed<ListedHeuristic> show_heuristic(const HeuristicToShow& what, const PluginPlaces& places,
                                          const WorkContext& work) {
  auto named = find_named_heuristic(what.name, places.isolation, work);
  if (!named.result.ok()) return {named.result.error(), std::move(named.diagnostics)};
  return {show(*named.result, what, places, work), std::move(named.diagnostics)};
}

Json to_json(const ListedHeuristic& heuristic) {
  const HeuristicInfo& info = heuristic.info;
  Json json{{"id", info.id},
            {"version", info.version},
            {"author", info.author},
            {"summary", info.summary},
            {"license", info.license},
            {"looks_back", info.looks_back},
            {"plugin", info.plugin.string()},
            {"sha256", info.plugin_sha256}};
  json["dim"] = heuristic.dim.ok() ? Json(*heuristic.dim) : Json();
  if (!heuristic.dim.ok()) json["dim_error"] = heuristic.dim.error().message;
  json["parameters"] = Json::array();
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const ParameterInfo& parameter = info.parameters[i];
    Json one{{"id", parameter.id}, {"summary", parameter.summary}, {"type", type_name(parameter.type)}};
    if (parameter.type == ParameterInfo::Type::kChoice) {
      one["default"] = parameter.choices[std::size_t(parameter.default_value)];
      one["choices"] = parameter.choices;
      one["value"] = parameter.choices[std::size_t(heuristic.values[i])];
    } else {
      one["default"] = parameter.default_value;
      one["minimum"] = parameter.minimum;
      one["maximum"] = parameter.maximum;
      one["value"] = heuristic.values[i];
    }
    json["parameters"].push_back(std::move(one));
  }
  return json;
}

Json to_json(const HeuristicList& list) {
  Json json{{"view", {list.view.width, list.view.height}}, {"heuristics", Json::array()}};
  for (const ListedHeuristic& heuristic : list.heuristics) json["heuristics"].push_back(to_json(heuristic));
  json["refused"] = to_json(list.refused);
  return json;
}

}  // namespace mash
