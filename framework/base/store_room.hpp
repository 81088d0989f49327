// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace mash {

// Free bytes on the disk of `path`, or of the nearest folder above it that exists; 0 where the system does
// not tell.
std::uint64_t free_bytes(std::filesystem::path path);

// Free space of a store's disk below which runners take no submission, where no setting says another.
inline constexpr std::uint64_t kUsualFreeDisk = std::uint64_t(1) << 30;

// The room for features on the disk of a store, and whether this process may write them there. Runners, the
// server and mash doctor go by the same rule.
struct StoreRoom {
  std::filesystem::path store;
  std::uint64_t free_bytes = 0, wanted_bytes = 0;
  std::filesystem::path closed = {};  // a folder or lock in it, such as one of another user; empty: none

  bool has_space() const { return free_bytes >= wanted_bytes; }
  bool is_enough() const { return has_space() && closed.empty(); }
  // "store site/store: its disk has 12.0 MiB of free space, expected at least 1.0 GiB", or "store site/store:
  // nothing can be written to site/store/hog-1, expected all of it to belong to the user of the runners
  // (chown -R)".
  std::string in_words() const;
};
// Now.
StoreRoom store_room(const std::filesystem::path& store, std::uint64_t wanted_bytes = kUsualFreeDisk);

}  // namespace mash
