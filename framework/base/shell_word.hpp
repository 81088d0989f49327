// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mash {

// In quotes where a shell would take it for more than a word.
inline std::string shell_word(const std::string& text) {
  if (!text.empty() && text.find_first_of(" \t\n*?[]{}()<>|&;$#~!\"'\\`") == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace mash
