// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// The most that one data file may hold once unpacked; a forged or hostile file must not fill the memory.
inline constexpr std::uint64_t kMaxSourceBytes = std::uint64_t(8) << 30;

// A data file in memory, unpacked, and what goes into the record about it.
struct LoadedSource {
  std::string bytes;
  SourceFile file;  // as published: size and hash of the packed file

  std::string place() const { return file.path.string(); }
};

// Reads a file, unpacking it when its name ends in ".gz" (several members are joined, as gzip does).
// Errors: kInput when it is missing, no regular file, empty, larger than `max_bytes` once unpacked, or no
// sound gzip; the last names the byte offset in the packed file.
Result<LoadedSource> read_source(const std::filesystem::path& path,
                                 std::uint64_t max_bytes = kMaxSourceBytes);

// folder/name or, where that is missing, folder/name.gz.
// Errors: kInput when neither is there.
Result<std::filesystem::path> find_plain_or_gz(const std::filesystem::path& folder, std::string_view name);

// Whether systems and drives leave files or folders of that name beside those of people: "__MACOSX",
// "._1.png", "Thumbs.db".
bool is_left_by_a_system(std::string_view name);

// Entries of a folder in byte order of the names, without hidden ones and those that systems leave.
// Errors: kInput when it is no folder or cannot be read.
Result<std::vector<std::filesystem::path>> list_folder(const std::filesystem::path& folder);

// "SHA-256  path", a line for each file, as `sha256sum --check` reads them.
std::string checksum_list(std::span<const SourceFile> files);

}  // namespace mash
