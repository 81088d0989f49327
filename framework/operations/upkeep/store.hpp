// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "framework/families/store_content.hpp"

namespace mash {

// Room of a disk, in bytes.
struct DiskSpace {
  std::uint64_t capacity = 0;
  std::uint64_t available = 0;  // to this user
};
// That of the disk that a folder is on; nothing where the system does not tell.
std::optional<DiskSpace> disk_space(const std::filesystem::path& folder);

// A store may take a fifth of its disk, and less where a tenth of the disk is not free any more: a warning
// for the user, or nothing. A store of less than 1 % of the disk is never what fills it.
std::optional<std::string> store_warning(const std::filesystem::path& store, std::uint64_t store_bytes,
                                         const DiskSpace& disk);
// The same of the store as it is now.
std::optional<std::string> store_warning(const std::filesystem::path& store);

struct StoreList {
  std::filesystem::path store;
  StoreContent content;
  std::optional<DiskSpace> disk;
};
// store: empty for the default one. Errors (kInput): there is no such folder.
Result<StoreList> list_store(const std::filesystem::path& store);

// Removes families as prune_store does. Errors: as there; kInput: a data set of which the store has none.
Result<PruneOutcome> prune_features(const std::filesystem::path& store, const PruneRequest& request);

nlohmann::ordered_json to_json(const StoreList& list);
nlohmann::ordered_json to_json(const PruneOutcome& outcome, const PruneRequest& request);

}  // namespace mash
