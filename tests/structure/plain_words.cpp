// SPDX-License-Identifier: Apache-2.0
#include "tests/structure/plain_words.hpp"

#include <array>
#include <regex>
#include <string_view>

namespace mash::testing {
namespace {

struct Word {
  std::string_view avoided, plain;
};
constexpr std::array kWords{
    Word{"so many", "a count, or the name of the number"},
    Word{"whatever", "any"},
    Word{"anew", "again"},
    Word{"whoever", "callers that, the user who"},
    Word{"in the mean", "on average"},
    Word{"but for", "except"},
};

// Between words there may be the end of a line and the beginning of a comment.
std::regex expression(std::string_view words) {
  const std::string gap = "\\s+(?:(?://+|#)\\s*)?";
  return std::regex("\\b" + std::regex_replace(std::string(words), std::regex(" "), gap) + "\\b",
                    std::regex::icase);
}

}  // namespace

std::vector<std::string> words_to_avoid(const std::string& text) {
  static const auto expressions = [] {
    std::vector<std::regex> all;
    for (const Word& word : kWords) all.push_back(expression(word.avoided));
    return all;
  }();
  std::vector<std::string> found;
  for (std::size_t i = 0; i < kWords.size(); ++i)
    if (std::regex_search(text, expressions[i]))
      found.push_back('"' + std::string(kWords[i].avoided) + "\": " + std::string(kWords[i].plain));
  return found;
}

}  // namespace mash::testing
