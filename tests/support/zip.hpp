// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>

namespace mash::testing {

// A ZIP archive with one file, which is not compressed; the name is marked as UTF-8 (APPNOTE 6.3, 4.4.4).
inline std::string zip_of(const std::string& name, const std::string& content) {
  const auto number = [](std::uint64_t value, int num_bytes) {
    std::string text;
    for (int i = 0; i < num_bytes; ++i) text += char(value >> 8 * i & 0xff);
    return text;
  };
  const auto crc = ::crc32(0, reinterpret_cast<const Bytef*>(content.data()), uInt(content.size()));
  // Version needed, flags, no compression, time and date, checksum, sizes, length of the name, no extras.
  const std::string common = number(20, 2) + number(0x0800, 2) + number(0, 2) + number(0, 4) +
                             number(crc, 4) + number(content.size(), 4) + number(content.size(), 4) +
                             number(name.size(), 2) + number(0, 2);
  const std::string file = "PK\x03\x04" + common + name + content;
  // Version made by (3: Unix); no comment, first disk, no attributes, the file is at the beginning.
  const std::string directory = "PK\x01\x02" + number(3 << 8 | 20, 2) + common + number(0, 2) + number(0, 2) +
                                number(0, 2) + number(0, 4) + number(0, 4) + name;
  return file + directory + "PK\x05\x06" + number(0, 4) + number(1, 2) + number(1, 2) +
         number(directory.size(), 4) + number(file.size(), 4) + number(0, 2);
}

}  // namespace mash::testing
