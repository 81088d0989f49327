// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"

namespace mash {

// Whether a file of that name is unpacked: .tar, alone or packed (.tar.gz, .tgz, .tar.bz2, .tar.xz,
// .tar.zst), and .zip. A lone .gz is none: the readers of data sets read it as it is.
bool is_archive_name(std::string_view name);

inline constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t(256) << 30;

// Unpacks files and folders into `folder`, which is there and empty. Nothing is written outside: an entry
// whose path leads out, or that is no plain file or folder (a link, a device), is an error. Errors
// (kFailure): such an entry, by its name; no sound archive; too large; no room; kStopped.
Status unpack_archive(const std::filesystem::path& archive, const std::filesystem::path& folder,
                      const StopFlag& stop, std::uint64_t max_bytes = kMaxUnpackedBytes);

}  // namespace mash
