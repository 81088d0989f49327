// SPDX-License-Identifier: Apache-2.0
#include "framework/base/result.hpp"

#include <algorithm>

#include "framework/base/utf8.hpp"

namespace mash {
namespace {

template <class Name>
std::string first_of_list(std::span<const Name> names, std::size_t most) {
  std::string text;
  for (const Name& name : names.first(std::min(most, names.size())))
    text += fmt::format("{}{}", text.empty() ? "" : ", ", shortened(name, 100));
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text;
}

// The text with '?' for each byte that is not part of sound UTF-8: messages are UTF-8, strangers' texts need
// not be.
std::string sound(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t prefix = utf8_prefix(text);
    shown += text.substr(0, prefix);
    if (prefix < text.size()) shown += '?';
    text.remove_prefix(std::min(prefix + 1, text.size()));
  }
  return shown;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return sound(text);
  const auto continues_a_character = [&](std::size_t at) { return (text[at] & 0xC0) == 0x80; };
  while (most_bytes > 0 && continues_a_character(most_bytes)) --most_bytes;
  return fmt::format("{}... ({} bytes)", sound(text.substr(0, most_bytes)), text.size());
}

std::string listed(std::span<const std::string> names, std::size_t most) {
  return first_of_list(names, most);
}
std::string listed(std::span<const std::string_view> names, std::size_t most) {
  return first_of_list(names, most);
}

}  // namespace mash
