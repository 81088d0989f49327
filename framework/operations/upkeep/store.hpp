// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "framework/base/settings.hpp"
#include "framework/families/store_content.hpp"

namespace mash {

// Room of a disk, in bytes.
struct DiskSpace {
  std::uint64_t capacity = 0;
  std::uint64_t available = 0;  // to this user
};
// The room of the disk that a folder is on; nothing where the system does not tell.
std::optional<DiskSpace> disk_space(const std::filesystem::path& folder);

// A warning for the user where a store takes too much of its disk; nothing where it does not. Too much is
// more than a fifth of the disk or, where less than a tenth of the disk is free, 1 % of it or more.
std::optional<std::string> store_warning(const std::filesystem::path& store, std::uint64_t store_bytes,
                                         const DiskSpace& disk);
// The same for the store as it is now.
std::optional<std::string> store_warning(const std::filesystem::path& store);

struct StoreList {
  std::filesystem::path store;
  StoreContent content;
  std::optional<DiskSpace> disk;
  bool keeps_values = false;  // by the content of pictures, from now on
};
// store: empty for the default one. Errors (kInput): there is no such folder.
Result<StoreList> list_store(const std::filesystem::path& store);

// Sets a setting of the store, which is made where it is not there: "values" to "keep" or "drop". Errors
// (kInput): another setting or value; the store is a file. kFailure: the disk's.
Status set_store(const std::filesystem::path& store, const Assignment& assignment);

// Removes families as prune_store does. Further errors (kInput): the store has no family of this data set.
Result<PruneOutcome> prune_features(const std::filesystem::path& store, const PruneRequest& request);

nlohmann::ordered_json to_json(const StoreList& list);
nlohmann::ordered_json to_json(const PruneOutcome& outcome, const PruneRequest& request);

}  // namespace mash
