// SPDX-License-Identifier: Apache-2.0
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

// The length of the sequence that `text` begins with; 0 where it is not sound.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  std::size_t length = first < 0x80   ? 1
                       : first < 0xc2 ? 0
                       : first < 0xe0 ? 2
                       : first < 0xf0 ? 3
                       : first < 0xf5 ? 4
                                      : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool surrogate = first == 0xed && byte(1) > 0x9f;
  const bool beyond = first == 0xf4 && byte(1) > 0x8f;
  return overlong || surrogate || beyond ? 0 : length;
}

}  // namespace

std::size_t utf8_prefix(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size()) {
    const std::size_t length = sequence_length(text.substr(size));
    if (length == 0) break;
    size += length;
  }
  return size;
}

}  // namespace mash
