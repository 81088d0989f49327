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

// Origin of a family in the store, as people name it; in a file of its folder.
struct StoreLabel {
  std::string dataset, heuristic, version, settings;
  bool operator==(const StoreLabel&) const = default;
};

// Writes the label into the family's folder unless the same is there.
Status write_store_label(const std::filesystem::path& folder, const StoreLabel& label);

// A family in the store.
struct StoredEntry {
  std::filesystem::path folder;
  StoreLabel label;  // without a data set where an earlier version made it and nobody has used it since
  std::uint64_t num_bytes = 0;
  SystemTime made, used;   // the last time that it was opened or let go of
  bool is_whole = false;   // its extraction is done
  bool is_in_use = false;  // by a process that runs now
};

// Other files that are kept beside the families, such as checkpoints.
struct StoredOther {
  std::string name;
  std::size_t num_files = 0;
  std::uint64_t num_bytes = 0;
};

struct StoreContent {
  std::vector<StoredEntry> families;  // that was used last first
  std::vector<StoredOther> others;

  std::uint64_t family_bytes() const;
  std::uint64_t total_bytes() const;
};

// Looks at the store beside any number of processes that use it, and changes nothing. Errors (kInput): there
// is no such folder, or it cannot be read.
Result<StoreContent> read_store(const std::filesystem::path& store);

// Bytes that all files of the store take; 0 where there is none.
std::uint64_t store_size(const std::filesystem::path& store);

// Which families are to go: those that meet all conditions. With most_bytes, those of them that were used
// longest ago, until all families of the store together take no more than that.
struct PruneRequest {
  std::optional<std::string> dataset = {};
  std::optional<std::chrono::seconds> older_than = {};  // not used for so long
  std::optional<std::uint64_t> most_bytes = {};
  bool dry_run = false;
};

struct PruneOutcome {
  std::vector<StoredEntry> removed;
  std::vector<StoredEntry> in_use;  // would have gone, but a process uses them
  std::uint64_t left_bytes = 0;     // of the families that are there still

  std::uint64_t removed_bytes() const;
};

// Removes them; killed in between, it leaves each family whole or gone. What an earlier one left half removed
// goes too. Errors: as of read_store; a folder cannot be removed (kFailure).
Result<PruneOutcome> prune_store(const std::filesystem::path& store, const PruneRequest& request,
                                 SystemTime now);

}  // namespace mash
