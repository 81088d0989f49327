// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>

namespace mash::testing {

// An entry of a tar archive (POSIX ustar), with names as hostile as one wants. type: '0' file, '1' hard link,
// '2' symbolic link, '3' device, '5' folder.
inline std::string tar_entry(const std::string& name, const std::string& content, char type = '0',
                             const std::string& link = "") {
  std::string header(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) { header.replace(at, text.size(), text); };
  put(0, name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, fmt::format("{:011o}", content.size()));
  put(136, "00000000000");
  put(148, "        ");  // the checksum counts as blanks
  header[156] = type;
  put(157, link);
  put(257, "ustar");
  put(263, "00");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put(148, fmt::format("{:06o}", sum));
  header[154] = '\0';
  std::string padded = content;
  padded.resize((content.size() + 511) / 512 * 512);
  return header + padded;
}

inline std::string tar(const std::string& entries) { return entries + std::string(1024, '\0'); }

}  // namespace mash::testing
