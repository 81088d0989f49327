// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/yaml_message.hpp"

#include <array>

namespace mash {
namespace {

struct Row {
  std::string_view of_parser;  // begins so
  std::string_view in_words;
};
constexpr std::array kRows{
    Row{"end of map flow not found",
        "found no '}' where one is expected, or a comma is missing between two keys"},
    Row{"end of sequence flow not found",
        "found no ']' where one is expected, or a comma is missing between two values"},
    Row{"end of map not found",
        "found a line that is no key of the mapping around it, expected KEY: VALUE in the column of the "
        "other keys"},
    Row{"end of sequence not found",
        "found a line that is no item of the list around it, expected '- ' in the column of the other items"},
    Row{"illegal tab when looking for indentation",
        "found a tab at the beginning of a line, expected blanks"},
    Row{"illegal map value",
        "found a ':' that no key can have here; a text with ': ' in it needs quotes, and a line begins "
        "with blanks, not with a tab"},
    Row{"illegal map key", "found a key where none can stand"},
    Row{"illegal block entry", "found '- ' where no list can begin; a list stands below its key or in [ ]"},
    Row{"illegal flow end", "found a '}' or ']' without the '{' or '[' that opens it"},
    Row{"illegal EOF in scalar", "found the end of the file in a text whose quote is not closed"},
    Row{"illegal document indicator in scalar", "found '---' or '...' in a text whose quote is not closed"},
    Row{"illegal character in scalar", "found a sign in a text that must stand in quotes"},
    Row{"unknown token", "found a sign that no value can begin with; such a text needs quotes"},
    Row{"unknown escape character", "found an unknown escape behind a '\\'; text in '...' has none"},
    Row{"the referenced anchor is not defined", "found *NAME without a &NAME before it"},
    Row{"alias not found after *", "found a '*' without a name; a text that begins with it needs quotes"},
    Row{"anchor not found after &", "found a '&' without a name; a text that begins with it needs quotes"},
};

}  // namespace

std::string yaml_message(std::string_view message) {
  for (const Row& row : kRows)
    if (message.starts_with(row.of_parser)) return std::string(row.in_words);
  return "the text cannot be read from here on";
}

}  // namespace mash
