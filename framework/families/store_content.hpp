// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/amounts.hpp"
#include "framework/base/result.hpp"

namespace mash {

// Origin of a family in the store, in words that people know. It is kept in a file of the family's folder.
struct StoreLabel {
  std::string dataset, heuristic, version, settings;
  std::string plugin_sha256 = {};  // empty where an older version wrote it
  bool operator==(const StoreLabel&) const = default;
};

// Writes the label into the family's folder, unless the same label is there.
Status write_store_label(const std::filesystem::path& folder, const StoreLabel& label);

// A family in the store: its codes on a data set, or its values by the content of pictures of any.
struct StoredEntry {
  std::filesystem::path folder;
  // Its data set is empty where an older version made it and it was not used since, and of values by content.
  StoreLabel label;
  std::uint64_t num_bytes = 0;
  SystemTime made, used;   // the last time that it was opened or closed
  bool is_whole = false;   // its extraction is done
  bool is_in_use = false;  // by a process that runs now
  bool is_by_content = false;
};

// Other files that are kept beside the families, such as checkpoints.
struct StoredOther {
  std::string name;
  std::size_t num_files = 0;
  std::uint64_t num_bytes = 0;
};

struct StoreContent {
  std::vector<StoredEntry> families;  // the one used last comes first
  std::vector<StoredOther> others;

  std::uint64_t family_bytes() const;
  std::uint64_t total_bytes() const;
  // Those whose extraction was stopped: not whole, and no process goes on with them.
  std::vector<StoredEntry> unfinished() const;
};

// Lists the store and changes nothing. Any number of processes may use the store meanwhile. Errors (kInput):
// there is no such folder, or it cannot be read.
Result<StoreContent> read_store(const std::filesystem::path& store);

// The bytes that all files of the store take; 0 where there is no store.
std::uint64_t store_size(const std::filesystem::path& store);

// A choice of families to remove: those that meet all conditions. With most_bytes, only as many of these are
// removed, least recently used first, as it takes until all families of the store need no more bytes than
// that.
struct PruneRequest {
  std::optional<std::string> dataset = {};
  std::optional<std::string> plugin_sha256 = {};
  std::optional<std::chrono::seconds> older_than = {};  // not used for so long
  std::optional<std::uint64_t> most_bytes = {};
  bool only_unfinished = false;  // whose extraction was stopped
  bool dry_run = false;
};

struct PruneOutcome {
  std::vector<StoredEntry> removed;
  std::vector<StoredEntry> in_use;  // would have gone, but a process uses them
  std::uint64_t left_bytes = 0;     // of the families that are there still

  std::uint64_t removed_bytes() const;
};

// Removes the chosen families. If the program is killed meanwhile, each family is either whole or gone.
// Remains of an earlier, interrupted removal go too. Errors: those of read_store; a folder cannot be removed
// (kFailure).
Result<PruneOutcome> prune_store(const std::filesystem::path& store, const PruneRequest& request,
                                 SystemTime now);

}  // namespace mash
