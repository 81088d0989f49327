// SPDX-License-Identifier: Apache-2.0
#include "framework/base/file_name.hpp"

#include <fmt/format.h>

#include "framework/base/utf8.hpp"

namespace mash {

std::string as_file_name(std::string_view text) {
  constexpr std::string_view kNotInNames = "/\\:*?\"<>|";
  std::string name;
  while (!text.empty()) {
    const std::size_t sound = utf8_prefix(text);
    for (const char c : text.substr(0, sound))
      name += is_control(c) || kNotInNames.find(c) != kNotInNames.npos ? '_' : c;
    text.remove_prefix(sound);
    if (text.empty()) break;
    name += '_';
    text.remove_prefix(1);
  }
  return name.empty() || name[0] == '.' ? "_" + name : name;
}

std::string FileNames::name_of(const std::string& text) {
  const auto [entry, is_new] = names_.try_emplace(text);
  if (!is_new) return entry->second;
  const std::string plain = as_file_name(text);
  std::string name = plain;
  for (int number = 2; !taken_.insert(name).second; ++number) name = fmt::format("{}_{}", plain, number);
  return entry->second = name;
}

}  // namespace mash
