// SPDX-License-Identifier: Apache-2.0
#include "tests/structure/plain_words.hpp"

#include <regex>

namespace mash::testing {

std::vector<std::string> words_to_avoid(const std::string& text) {
  std::vector<std::string> found;
  // Between words there may be the end of a line and the beginning of a comment.
  const std::string gap = R"([ ]*(\n[ \t]*)?(//+|#)?[ ]*)";
  for (const std::string word : {"so many", "whatever", "anew", "whoever", "in the mean", "but for"}) {
    const std::string pattern = std::regex_replace(word, std::regex(" "), gap);
    if (std::regex_search(text, std::regex("\\b" + pattern + "\\b", std::regex::icase)))
      found.push_back(word);
  }
  return found;
}

}  // namespace mash::testing
