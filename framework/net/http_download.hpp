// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/work_context.hpp"
#include "framework/net/http_client.hpp"

namespace mash {

// A file on the web, and how it is known that it is the right one.
struct RemoteFile {
  std::vector<std::string> addresses;  // of the same file, asked in turn
  std::string sha256;                  // 64 lower-case hexadecimal digits
  std::optional<std::uint64_t> num_bytes = {};
};

struct DownloadSettings {
  int most_attempts = 5;  // in a row that bring no byte, of one address
  double first_wait = 1;  // seconds after the first of them; doubled after each
  HttpLimits limits = {10, 60};
};

// Downloads the file to `path`. What a cut connection or an earlier call has brought is in PATH.part, and the
// download goes on from there, where the server can (RFC 9110, 14: ranges); at `path` there is the whole file
// with the right checksum or none. The progress is advanced by kilobytes, over the whole of the file. Returns
// the bytes that came over the network.
// Errors (kFailure), with what each address said: none gave the file, or it has another checksum; kStopped:
// the user asked for it, and the next call goes on.
Result<std::uint64_t> download(const RemoteFile& file, const std::filesystem::path& path,
                               const DownloadSettings& settings, const WorkContext& work);

// The SHA-256 of a file of any size. Errors (kFailure): it cannot be read.
Result<std::string> sha256_of_file(const std::filesystem::path& path);

}  // namespace mash
