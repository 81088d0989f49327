// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/upkeep/store.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "framework/families/by_content/store_setting.hpp"
#include "framework/operations/common/places.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kMostShare = 0.2;      // of its disk
constexpr double kLeastFree = 0.1;      // of the disk
constexpr double kWorthMention = 0.01;  // of the disk
constexpr double kPerCent = 100;

fs::path store_or_default(const fs::path& store) { return store.empty() ? default_store() : store; }

Status check_there(const fs::path& store) {
  std::error_code code;
  if (fs::is_directory(store, code)) return Done{};
  if (fs::exists(store, code)) return input_error("store {}: is a file, expected a folder", store.string());
  return input_error("store {}: no features yet; mash run keeps them there", store.string());
}

std::set<std::string> datasets_in(const StoreContent& content) {
  std::set<std::string> names;
  for (const StoredEntry& entry : content.families)
    if (!entry.label.dataset.empty()) names.insert(entry.label.dataset);
  return names;
}

Json entry_json(const StoredEntry& entry) {
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"dataset", text_or_null(entry.label.dataset)},
          {"heuristic", entry.label.heuristic},
          {"version", text_or_null(entry.label.version)},
          {"settings", entry.label.settings},
          {"bytes", entry.num_bytes},
          {"made_at", iso_time(entry.made)},
          {"used_at", iso_time(entry.used)},
          {"whole", entry.is_whole},
          {"in_use", entry.is_in_use},
          {"by_content", entry.is_by_content},
          {"folder", entry.folder.filename().string()}};
}

Json entries_json(const std::vector<StoredEntry>& entries) {
  Json rows = Json::array();
  for (const StoredEntry& entry : entries) rows.push_back(entry_json(entry));
  return rows;
}

}  // namespace

std::optional<DiskSpace> disk_space(const fs::path& folder) {
  std::error_code code;
  const fs::space_info space = fs::space(folder, code);
  if (code || space.capacity == 0) return std::nullopt;
  return DiskSpace{space.capacity, space.available};
}

std::optional<std::string> store_warning(const fs::path& store, std::uint64_t store_bytes,
                                         const DiskSpace& disk) {
  const double capacity = double(disk.capacity), share = double(store_bytes) / capacity,
               free = double(disk.available) / capacity;
  std::string reason;
  if (share > kMostShare)
    reason = fmt::format("more than {:.0f} %", kPerCent * kMostShare);
  else if (free < kLeastFree && share >= kWorthMention)
    reason = fmt::format("of which {} are free, less than {:.0f} %", bytes_in_words(disk.available),
                         kPerCent * kLeastFree);
  if (reason.empty()) return std::nullopt;
  return fmt::format(
      "store {}: takes {}, {:.0f} % of its disk ({}); mash store list shows what it holds, mash store prune "
      "makes room",
      store.string(), bytes_in_words(store_bytes), kPerCent * share, reason);
}

std::optional<std::string> store_warning(const fs::path& store) {
  const auto disk = disk_space(store);
  return disk ? store_warning(store, store_size(store), *disk) : std::nullopt;
}

Result<StoreList> list_store(const fs::path& store) {
  const fs::path folder = store_or_default(store);
  MASH_TRY(check_there(folder));
  MASH_ASSIGN(StoreContent content, read_store(folder));
  return StoreList{folder, std::move(content), disk_space(folder), keeps_values(folder)};
}

Status set_store(const fs::path& store, const Assignment& assignment) {
  constexpr std::string_view kKeys[] = {"values"};
  if (assignment.key != kKeys[0]) return unknown_name("setting of a store", assignment.key, kKeys);
  constexpr std::string_view kValues[] = {"keep", "drop"};
  if (std::ranges::find(kValues, assignment.value) == std::end(kValues))
    return input_error("{}: found '{}', expected keep or drop", assignment.key, assignment.value);
  const fs::path folder = store_or_default(store);
  std::error_code code;
  if (fs::exists(folder, code) && !fs::is_directory(folder, code)) return check_there(folder);
  return set_keeps_values(folder, assignment.value == kValues[0]);
}

Result<PruneOutcome> prune_features(const fs::path& store, const PruneRequest& request) {
  const fs::path folder = store_or_default(store);
  MASH_TRY(check_there(folder));
  if (request.dataset) {
    MASH_ASSIGN(const StoreContent content, read_store(folder));
    const std::set<std::string> known = datasets_in(content);
    if (!known.contains(*request.dataset))
      return unknown_name("data set", *request.dataset,
                          std::vector<std::string_view>(known.begin(), known.end()))
          .at(fmt::format("store {}", folder.string()));
  }
  return prune_store(folder, request, std::chrono::system_clock::now());
}

Json to_json(const StoreList& list) {
  Json others = Json::array();
  for (const StoredOther& other : list.content.others)
    others.push_back({{"name", other.name}, {"files", other.num_files}, {"bytes", other.num_bytes}});
  return {{"store", list.store.string()},
          {"values", list.keeps_values ? "keep" : "drop"},
          {"families", entries_json(list.content.families)},
          {"others", others},
          {"total_bytes", list.content.total_bytes()},
          {"disk_bytes", list.disk ? Json(list.disk->capacity) : Json()},
          {"free_bytes", list.disk ? Json(list.disk->available) : Json()}};
}

Json to_json(const PruneOutcome& outcome, const PruneRequest& request) {
  return {{"dry_run", request.dry_run},
          {"removed", entries_json(outcome.removed)},
          {"in_use", entries_json(outcome.in_use)},
          {"removed_bytes", outcome.removed_bytes()},
          {"left_bytes", outcome.left_bytes}};
}

}  // namespace mash
