// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/bundle/sources.hpp"

#include <algorithm>
#include <set>

#include "classifiers/serving/family_pools.hpp"
#include "framework/base/file.hpp"
#include "framework/operations/bundle/amalgamation.hpp"
#include "framework/operations/workshop/compile.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

// The one source of a heuristic at this place.
Result<fs::path> source_at(const std::string& place) {
  MASH_ASSIGN(const HeuristicSource source, find_heuristic_source(place));
  if (!source.is_project) return source.place;
  std::vector<fs::path> sources;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(source.place, code))
    if (is_source(entry.path()) && !entry.path().stem().string().ends_with("_test"))
      sources.push_back(entry.path());
  if (sources.size() == 1) return sources[0];
  return input_error("{}: found {} C++ sources, expected one: leave it out, and its plugin is bundled", place,
                     sources.size());
}

// "heuristics/hog/heuristic.cpp" for the plugin hog.so that came with this program.
std::string shipped_source(const HeuristicInfo& info) {
  return fmt::format("heuristics/{}/heuristic.cpp", info.plugin.stem().string());
}

Result<BundledHeuristic> bundled(const HeuristicInfo& info, const GivenSources& given, Catalogue& catalogue) {
  BundledHeuristic heuristic{info.id, info.version, info.author, info.license};
  heuristic.idx_in_plugin = info.idx_in_plugin;
  if (const fs::path* source = given.source_of(info.plugin)) {
    heuristic.file = source->filename().string();
    MASH_ASSIGN(heuristic.text, read_file(*source, kMostTextBytes));
    return heuristic;
  }
  if (const auto text = bundled_text(shipped_source(info)); text && catalogue.host().is_shipped(info)) {
    heuristic.file = shipped_source(info);
    heuristic.text = *text;
    return heuristic;
  }
  heuristic.form = HeuristicForm::kPlugin;
  heuristic.file = info.plugin.filename().string();
  MASH_ASSIGN(heuristic.text, read_file(info.plugin));
  return heuristic;
}

}  // namespace

Result<GivenSources> GivenSources::build(const std::vector<std::string>& places, const WorkContext& work) {
  MASH_ASSIGN(ScratchFolder folder, ScratchFolder::make("bundle"));
  GivenSources given(std::move(folder));
  for (const std::string& place : places) {
    MASH_ASSIGN(fs::path source, source_at(place));
    MASH_ASSIGN(const std::string text, read_file(source, kMostTextBytes));
    MASH_TRY(check_source(source.string(), text));
    given.sources_.push_back(source);
    const auto compiled =
        compile_heuristic({source, false}, given.plugin(given.sources_.size() - 1), false, work.stop);
    if (!compiled.diagnostics.empty()) work.remarks.tell(compiled.diagnostics);
    if (!compiled.result.ok()) return compiled.result.error();
  }
  return given;
}

fs::path GivenSources::plugin(std::size_t i) const { return folder_ / fmt::format("source_{}.so", i); }

std::vector<std::string> GivenSources::plugins() const {
  std::vector<std::string> plugins;
  for (std::size_t i = 0; i < sources_.size(); ++i) plugins.push_back(plugin(i).string());
  return plugins;
}

const fs::path* GivenSources::source_of(const fs::path& plugin_file) const {
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (plugin(i) == plugin_file) return &sources_[i];
  return nullptr;
}

Result<std::vector<BundledHeuristic>> heuristics_of(const Model& model, const GivenSources& given,
                                                    Catalogue& catalogue) {
  std::vector<BundledHeuristic> heuristics;
  std::set<fs::path> used;
  const auto needed = model.needed_features();
  for (std::size_t k = 0; k < needed.size(); ++k) {
    if (needed[k].empty()) continue;
    MASH_ASSIGN(const HeuristicInfo* info, find_heuristic(model.families()[k], catalogue));
    used.insert(info->plugin);
    if (std::ranges::any_of(heuristics, [&](const auto& other) { return other.id == info->id; })) continue;
    MASH_ASSIGN(BundledHeuristic heuristic, bundled(*info, given, catalogue));
    heuristics.push_back(std::move(heuristic));
  }
  const auto plugins = given.plugins();
  for (std::size_t i = 0; i < plugins.size(); ++i)
    if (!used.contains(plugins[i]))
      return input_error(
          "{}: found a heuristic of which the model uses no feature, expected one that it uses",
          given.sources()[i].string());
  return heuristics;
}

std::string licences_of(const std::vector<BundledHeuristic>& heuristics, const std::string& name) {
  std::string text = fmt::format(
      "{0} holds parts of MASH {1} (Apache-2.0: its text is below) and these heuristics. A licence is named "
      "by\nits SPDX identifier, as the heuristic's author wrote it; comments of authors stand in "
      "{0}.cpp.\n\n",
      name, MASH_VERSION);
  for (const BundledHeuristic& heuristic : heuristics)
    text += fmt::format("{} {}, by {}, licence {}: {} {}\n", heuristic.id, heuristic.version,
                        heuristic.author, heuristic.license.empty() ? "not named" : heuristic.license,
                        heuristic.form == HeuristicForm::kSource ? "compiled in from" : "the plugin",
                        heuristic.file);
  return text + "\n" + std::string(bundled_text("LICENSE").value_or(""));
}

}  // namespace mash
