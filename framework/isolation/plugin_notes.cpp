// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/plugin_notes.hpp"

#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "framework/base/bounded_json.hpp"
#include "framework/base/file.hpp"
#include "framework/isolation/heuristic_json.hpp"
#include "mash/abi/entry.h"

namespace mash {
namespace {

using Json = nlohmann::json;

constexpr int kFormat = 1;

std::string key_of(const HeuristicInfo& info, std::span<const double> values, mash_size_t view_size) {
  return fmt::format("{} ({}) {}x{}", info.id, fmt::join(values, ", "), view_size.width, view_size.height);
}

}  // namespace

std::filesystem::path PluginNotes::file_of(const std::string& plugin_sha256) const {
  return folder_ / (plugin_sha256 + ".json");
}

PluginNotes::Notes PluginNotes::read(const std::string& plugin_sha256) const {
  Notes notes;
  const auto text = read_file(file_of(plugin_sha256));
  if (!text.ok()) return notes;
  const Json json = parse_object(*text);
  const bool is_known = json.contains("heuristics") && json.value("format", Json()) == kFormat &&
                        json.value("abi", Json()) == int(MASH_ABI_VERSION);
  auto heuristics =
      is_known ? heuristics_in(json["heuristics"]) : Result<std::vector<HeuristicInfo>>(input_error("none"));
  if (!heuristics.ok()) return notes;
  notes.heuristics = *std::move(heuristics);
  const Json dims = json.value("dims", Json());
  if (!dims.is_object()) return notes;
  for (const auto& [key, value] : dims.items())
    if (value.is_number_unsigned() && value > 0 && value <= kMaxDim) notes.dims.emplace(key, value);
  return notes;
}

PluginNotes::Notes& PluginNotes::of(const std::string& plugin_sha256) {
  const auto known = notes_.find(plugin_sha256);
  return known != notes_.end() ? known->second
                               : notes_.emplace(plugin_sha256, read(plugin_sha256)).first->second;
}

void PluginNotes::write() {
  const std::lock_guard lock(mutex_);
  for (auto& [plugin_sha256, notes] : notes_) {
    if (!std::exchange(notes.is_changed, false)) continue;
    notes.dims.merge(read(plugin_sha256).dims);  // what another process has found out meanwhile
    const Json json{{"format", kFormat},
                    {"abi", int(MASH_ABI_VERSION)},
                    {"heuristics", json_of(notes.heuristics)},
                    {"dims", notes.dims}};
    const Status written = write_file_atomically(file_of(plugin_sha256), json.dump(), Flush::kLater);
    (void)written;  // it is only asked again next time
  }
}

std::optional<std::vector<HeuristicInfo>> PluginNotes::heuristics(const std::string& plugin_sha256) {
  if (folder_.empty()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const Notes& notes = of(plugin_sha256);
  return notes.heuristics.empty() ? std::nullopt : std::optional(notes.heuristics);
}

void PluginNotes::keep(const std::string& plugin_sha256, const std::vector<HeuristicInfo>& heuristics) {
  if (folder_.empty()) return;
  const std::lock_guard lock(mutex_);
  notes_[plugin_sha256] = {heuristics, {}, true};
}

std::optional<std::uint32_t> PluginNotes::dim(const HeuristicInfo& info, std::span<const double> values,
                                              mash_size_t view_size) {
  if (folder_.empty()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  const auto& dims = of(info.plugin_sha256).dims;
  const auto found = dims.find(key_of(info, values, view_size));
  return found == dims.end() ? std::nullopt : std::optional(found->second);
}

void PluginNotes::keep_dim(const HeuristicInfo& info, std::span<const double> values, mash_size_t view_size,
                           std::uint32_t dim) {
  if (folder_.empty()) return;
  const std::lock_guard lock(mutex_);
  Notes& notes = of(info.plugin_sha256);
  if (notes.heuristics.empty()) return;  // nobody has described it
  notes.is_changed |= notes.dims.insert_or_assign(key_of(info, values, view_size), dim).second;
}

}  // namespace mash
