// SPDX-License-Identifier: Apache-2.0
#include "framework/base/percent.hpp"

#include <fmt/format.h>

#include <charconv>

namespace mash {

std::string percent_encoded(std::string_view text, std::string_view also_kept) {
  constexpr std::string_view kKept = "-_.~";
  std::string encoded;
  for (const char c : text) {
    const bool is_kept = ('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
                         kKept.find(c) != std::string_view::npos ||
                         also_kept.find(c) != std::string_view::npos;
    if (is_kept)
      encoded += c;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    const char* end = digits.data() + digits.size();
    unsigned char byte = 0;
    if (digits.size() < 2 || std::from_chars(digits.data(), end, byte, 16).ptr != end) return std::nullopt;
    decoded += char(byte);
    i += 2;
  }
  return decoded;
}

}  // namespace mash
