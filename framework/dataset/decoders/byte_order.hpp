// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mash {

// Numbers of a file, in its byte order; reading behind the end gives 0 and is remembered.
class OrderedBytes {
 public:
  OrderedBytes(std::string_view bytes, bool is_big_endian) : bytes_(bytes), is_big_endian_(is_big_endian) {}

  std::uint64_t number(std::size_t offset, std::size_t num_bytes) {
    if (offset > bytes_.size() || bytes_.size() - offset < num_bytes) {
      is_cut_ = true;
      return 0;
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < num_bytes; ++i) {
      const std::size_t place = offset + (is_big_endian_ ? i : num_bytes - 1 - i);
      value = value << 8 | std::uint8_t(bytes_[place]);
    }
    return value;
  }
  bool is_cut() const { return is_cut_; }

 private:
  std::string_view bytes_;
  bool is_big_endian_;
  bool is_cut_ = false;
};

}  // namespace mash
