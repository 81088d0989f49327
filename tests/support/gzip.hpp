// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace mash::testing {

// The bytes as a gzip file.
inline std::string gzip(std::string_view bytes) {
  constexpr int kGzipWindow = MAX_WBITS + 16, kMemory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib cannot be started");
  std::string packed(deflateBound(&stream, uLong(bytes.size())), '\0');
  // zlib's older interface lacks the const; it does not write here.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = uInt(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace mash::testing
