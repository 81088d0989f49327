// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/side_names.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "framework/base/lower_case.hpp"

namespace mash {
namespace {

struct SideName {
  std::string_view name;
  NamedSide side;
};
constexpr std::array kSideNames{SideName{"train", NamedSide::kTrain},
                                SideName{"training", NamedSide::kTrain},
                                SideName{"val", NamedSide::kValidation},
                                SideName{"valid", NamedSide::kValidation},
                                SideName{"validation", NamedSide::kValidation},
                                SideName{"dev", NamedSide::kValidation},
                                SideName{"test", NamedSide::kTest},
                                SideName{"testing", NamedSide::kTest},
                                SideName{"trn", NamedSide::kTrain},
                                SideName{"tst", NamedSide::kTest}};
// Words beside the name of a side: "seg_train", "images_val".
constexpr std::array<std::string_view, 14> kOthers{"set",      "data",  "dataset", "images", "image",
                                                   "pictures", "imgs",  "img",     "photos", "x",
                                                   "seg",      "split", "samples", "folder"};

std::optional<NamedSide> side_of_word(std::string_view word) {
  for (const SideName& known : kSideNames)
    if (word == known.name) return known.side;
  return std::nullopt;
}

bool is_other_word(std::string_view word) {
  return std::ranges::find(kOthers, word) != kOthers.end() ||
         word.find_first_not_of("0123456789") == word.npos;
}

// "Training_Set2017" as "training", "set", "2017".
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  char before = ' ';
  for (const char c : in_lower_case(name)) {
    const auto is_digit = [](char one) { return one >= '0' && one <= '9'; };
    const bool is_sign = c == '_' || c == '-' || c == ' ' || c == '.';
    const bool begins = words.empty() || is_digit(before) != is_digit(c) || before == '_';
    if (!is_sign && begins) words.emplace_back();
    if (!is_sign) words.back() += c;
    before = is_sign ? '_' : c;
  }
  return words;
}

// The side of a word, also with another word right behind it: "trainset".
std::optional<NamedSide> side_in(std::string_view word) {
  if (const auto side = side_of_word(word)) return side;
  for (const std::string_view other : kOthers)
    if (other.size() > 1 && word.ends_with(other))
      if (const auto side = side_of_word(word.substr(0, word.size() - other.size()))) return side;
  return std::nullopt;
}

}  // namespace

std::optional<NamedSide> side_named(std::string_view name) {
  std::optional<NamedSide> found;
  for (const std::string& word : words_of(name)) {
    const auto side = side_in(word);
    if (side && found) return std::nullopt;
    if (!side && !is_other_word(word)) return std::nullopt;
    if (side) found = side;
  }
  return found;
}

}  // namespace mash
