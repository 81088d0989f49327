// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"

namespace mash {

// Whether a file with this name is unpacked: .tar, plain or compressed (.tar.gz, .tgz, .tar.bz2, .tar.xz,
// .tar.zst), and .zip. A .gz that is not a .tar.gz is not unpacked: the readers of data sets read it as it
// is.
bool is_archive_name(std::string_view name);

inline constexpr std::uint64_t kMaxUnpackedBytes = std::uint64_t(256) << 30;

// Unpacks files and folders into `folder`, which exists and is empty. Nothing is written outside of it: an
// entry whose path leads out, or that is neither a plain file nor a folder (a link, a device), is an error.
// Errors (kFailure): such an entry (the message names it); the archive is damaged or too large; the disk is
// full; kStopped.
Status unpack_archive(const std::filesystem::path& archive, const std::filesystem::path& folder,
                      const StopFlag& stop, std::uint64_t max_bytes = kMaxUnpackedBytes);

}  // namespace mash
