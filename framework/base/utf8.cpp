// SPDX-License-Identifier: Apache-2.0
#include "framework/base/utf8.hpp"

#include <algorithm>
#include <cstring>

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

std::string printable(const char* text, std::size_t max_length) {
  if (text == nullptr) return {};
  std::string copy(text, ::strnlen(text, max_length));
  std::replace_if(copy.begin(), copy.end(), is_control, '?');
  for (std::size_t sound; (sound = utf8_prefix(copy)) < copy.size();) copy[sound] = '?';
  return copy;
}

Status check_utf8(std::string_view text, std::string_view file) {
  const std::size_t prefix = utf8_prefix(text);
  if (prefix == text.size()) return Done{};
  const auto line = std::count(text.begin(), text.begin() + std::ptrdiff_t(prefix), '\n') + 1;
  return input_error("{}:{}: found the byte {:#04x} at offset {}, expected UTF-8 text", file, line,
                     static_cast<unsigned char>(text[prefix]), prefix);
}

}  // namespace mash
