// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/plugin_notes.hpp"

#include <fmt/ranges.h>

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

// An object of this format and ABI, or null.
Json PluginNotes::read(const std::string& plugin_sha256) const {
  if (folder_.empty()) return nullptr;
  const auto text = read_file(file_of(plugin_sha256));
  if (!text.ok()) return nullptr;
  Json notes = parse_object(*text);
  const bool is_known = notes.contains("heuristics") && notes.value("format", Json()) == kFormat &&
                        notes.value("abi", Json()) == int(MASH_ABI_VERSION);
  return is_known ? notes : Json();
}

void PluginNotes::write(const std::string& plugin_sha256, const Json& notes) const {
  const Status written = write_file_atomically(file_of(plugin_sha256), notes.dump(), Flush::kLater);
  (void)written;  // it is only asked again next time
}

std::optional<std::vector<HeuristicInfo>> PluginNotes::heuristics(const std::string& plugin_sha256) {
  const Json notes = read(plugin_sha256);
  if (notes.is_null()) return std::nullopt;
  auto heuristics = heuristics_in(notes["heuristics"]);
  if (!heuristics.ok()) return std::nullopt;
  return *std::move(heuristics);
}

void PluginNotes::keep(const std::string& plugin_sha256, const std::vector<HeuristicInfo>& heuristics) {
  if (folder_.empty()) return;
  const std::lock_guard lock(mutex_);
  write(plugin_sha256,
        {{"format", kFormat}, {"abi", int(MASH_ABI_VERSION)}, {"heuristics", json_of(heuristics)}});
}

std::optional<std::uint32_t> PluginNotes::dim(const HeuristicInfo& info, std::span<const double> values,
                                              mash_size_t view_size) {
  const Json notes = read(info.plugin_sha256);
  const Json dims = notes.is_null() ? Json() : notes.value("dims", Json());
  if (!dims.is_object()) return std::nullopt;
  const auto found = dims.find(key_of(info, values, view_size));
  if (found == dims.end() || !found->is_number_unsigned()) return std::nullopt;
  const auto dim = found->get<std::uint64_t>();
  if (dim == 0 || dim > kMaxDim) return std::nullopt;
  return std::uint32_t(dim);
}

void PluginNotes::keep_dim(const HeuristicInfo& info, std::span<const double> values, mash_size_t view_size,
                           std::uint32_t dim) {
  const std::lock_guard lock(mutex_);
  Json notes = read(info.plugin_sha256);
  if (notes.is_null()) return;  // nobody has described it
  notes["dims"][key_of(info, values, view_size)] = dim;
  write(info.plugin_sha256, notes);
}

}  // namespace mash
