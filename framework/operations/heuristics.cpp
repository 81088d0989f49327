// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/heuristics.hpp"

#include <set>

#include "framework/extractors/search_path.hpp"

namespace mash {
namespace {

Result<std::uint32_t> default_dim(const HeuristicInfo& info, Catalogue& catalogue, mash_size_t view) {
  MASH_ASSIGN(const auto values, parameter_values(info, {}));
  MASH_ASSIGN(const auto instance, catalogue.host().open(info, values));
  return instance->dim(view);
}

Result<ListedHeuristic> show(const NamedHeuristic& named, const PluginPlaces& places, mash_size_t view,
                             Remarks& remarks) {
  MASH_ASSIGN(
      Catalogue catalogue,
      open_catalogue({named.places_before(places.named), places.isolation, places.patience}, remarks));
  MASH_ASSIGN(const HeuristicInfo* info, find_in(catalogue, named));
  return ListedHeuristic{*info, default_dim(*info, catalogue, view)};
}

}  // namespace

Result<HeuristicList> list_heuristics(const PluginPlaces& places, mash_size_t view, Remarks& remarks) {
  MASH_ASSIGN(Catalogue catalogue, open_catalogue(places, remarks));
  HeuristicList list{view, {}, catalogue.refused()};
  for (const HeuristicInfo& info : catalogue.heuristics())
    list.heuristics.push_back({info, default_dim(info, catalogue, view)});
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

Diagnosed<ListedHeuristic> show_heuristic(const std::string& name, const PluginPlaces& places,
                                          mash_size_t view, const WorkContext& work) {
  auto named = find_named_heuristic(name, places.isolation, work);
  if (!named.result.ok()) return {named.result.error(), std::move(named.diagnostics)};
  return {show(*named.result, places, view, work.remarks), std::move(named.diagnostics)};
}

}  // namespace mash
