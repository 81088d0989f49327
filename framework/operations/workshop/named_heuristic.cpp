// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/named_heuristic.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "framework/operations/workshop/boxed_compile.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

// "./edges", "/edges" and "edges/" are names of files alone.
bool is_path(const std::string& name) {
  return name.empty() || name.starts_with('.') || name.starts_with('/') || name.ends_with('/');
}

// The project or source of that name; nothing where the name is a plugin's or an id.
Result<std::optional<HeuristicSource>> source_of(const std::string& name) {
  std::error_code code;
  if (!fs::is_directory(name, code) && !is_source(name)) return std::optional<HeuristicSource>();
  auto source = find_heuristic_source(name);
  if (source.ok()) return std::optional(*std::move(source));
  if (is_source(name) || is_path(name)) return source.error();
  return std::optional<HeuristicSource>();
}

Diagnosed<std::vector<fs::path>> compile_named(const HeuristicSource& source, Isolation isolation,
                                               const StopFlag& stop) {
  if (isolation != Isolation::kBox) return compile_heuristic(source, {}, false, stop);
  const BoxedCompilation compiled = compile_in_box(source, {}, {}, stop);
  if (!compiled.status.ok()) return {compiled.status.error(), to_text(compiled.messages)};
  return {std::vector{compiled.plugin}, to_text(compiled.messages)};
}

Diagnosed<NamedHeuristic> build_named(NamedHeuristic named, Isolation isolation, const WorkContext& work) {
  auto compiled = compile_named(*named.source, isolation, work.stop);
  std::string_view told = compiled.diagnostics;
  if (told.ends_with('\n')) told.remove_suffix(1);
  if (!told.empty()) work.remarks.tell(told);
  if (!compiled.result.ok()) return {compiled.result.error(), std::move(compiled.diagnostics)};
  named.plugins = *std::move(compiled.result);
  return {std::move(named), std::move(compiled.diagnostics)};
}

}  // namespace

std::vector<std::string> NamedHeuristic::places_before(const std::vector<std::string>& places) const {
  std::vector<std::string> all;
  for (const fs::path& plugin : plugins) all.push_back(plugin.string());
  all.insert(all.end(), places.begin(), places.end());
  return all;
}

Diagnosed<NamedHeuristic> find_named_heuristic(const std::string& name, Isolation isolation,
                                               const WorkContext& work) {
  NamedHeuristic named{name};
  auto source = source_of(name);
  if (!source.ok()) return {source.error(), ""};
  named.source = *std::move(source);
  if (named.source) return build_named(std::move(named), isolation, work);
  std::error_code code;
  if (is_path(name) && !fs::exists(name, code)) return {input_error("{}: no such file or folder", name), ""};
  if (fs::path(name).extension() == ".so" || fs::is_regular_file(name, code)) named.plugins = {name};
  return {std::move(named), ""};
}

Result<const HeuristicInfo*> find_in(const Catalogue& catalogue, const NamedHeuristic& named) {
  if (named.plugins.empty()) return catalogue.find(named.name);
  std::vector<const HeuristicInfo*> inside;
  std::vector<std::string> ids;
  for (const HeuristicInfo& info : catalogue.heuristics()) {
    const auto is_its_plugin = [&](const fs::path& plugin) {
      std::error_code code;
      return fs::equivalent(info.plugin, plugin, code);
    };
    if (std::none_of(named.plugins.begin(), named.plugins.end(), is_its_plugin)) continue;
    inside.push_back(&info);
    ids.push_back(info.id);
  }
  if (inside.size() == 1) return inside[0];
  return input_error(
      "{}: has {} heuristics ({}), expected one; give the id of one of them, and {} as a place where "
      "heuristics are looked for",
      named.name, inside.size(), fmt::join(ids, ", "),
      named.plugins[0].parent_path().empty() ? named.plugins[0].string()
                                             : named.plugins[0].parent_path().string());
}

}  // namespace mash
