// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace mash::testing {

inline std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Every element that is opened is closed, in order.
inline ::testing::AssertionResult is_well_formed(const std::string& html) {
  static const std::regex tag("<(/?)([a-zA-Z][a-zA-Z0-9]*)[^>]*?(/?)>");
  static const std::string empty_elements = " meta img ";
  std::vector<std::string> open;
  for (auto it = std::sregex_iterator(html.begin(), html.end(), tag); it != std::sregex_iterator(); ++it) {
    const std::string name = (*it)[2];
    if ((*it)[3] == "/" || empty_elements.find(' ' + name + ' ') != std::string::npos) continue;
    if ((*it)[1] != "/") {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return ::testing::AssertionFailure() << "</" << name << "> at " << it->position() << " closes "
                                           << (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  if (!open.empty()) return ::testing::AssertionFailure() << "<" << open.back() << "> is not closed";
  return ::testing::AssertionSuccess();
}

// Ids that stand for more than one element.
inline std::vector<std::string> repeated_ids(const std::string& html) {
  static const std::regex id("\\sid=\"([^\"]*)\"");
  std::vector<std::string> seen, repeated;
  for (auto it = std::sregex_iterator(html.begin(), html.end(), id); it != std::sregex_iterator(); ++it) {
    const std::string name = (*it)[1];
    (std::find(seen.begin(), seen.end(), name) == seen.end() ? seen : repeated).push_back(name);
  }
  return repeated;
}

}  // namespace mash::testing
