// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/yaml_message.hpp"

#include <array>

namespace mash {
namespace {

struct MessageRow {
  std::string_view of_parser;  // begins so
  std::string_view in_words;
};
constexpr std::array kRows{
    MessageRow{"end of map flow not found",
               "found no '}' where one is expected, or a comma is missing between two keys"},
    MessageRow{"end of sequence flow not found",
               "found no ']' where one is expected, or a comma is missing between two values"},
    MessageRow{
        "end of map not found",
        "found a line that is no key of the mapping around it, expected KEY: VALUE in the column of the "
        "other keys"},
    MessageRow{
        "end of sequence not found",
        "found a line that is no item of the list around it, expected '- ' in the column of the other items"},
    MessageRow{"illegal tab when looking for indentation",
               "found a tab at the beginning of a line, expected blanks"},
    MessageRow{
        "illegal map value",
        "found a ':' that no key can have here; a text with ': ' in it needs quotes, and a line begins "
        "with blanks, not with a tab"},
    MessageRow{"illegal map key",
               "found a key where none can stand; a text that begins with '?' needs quotes"},
    MessageRow{"illegal block entry",
               "found '- ' where no list can begin; a list stands below its key or in [ ]"},
    MessageRow{"illegal flow end", "found a '}' or ']' without the '{' or '[' that opens it"},
    MessageRow{"illegal EOF in scalar", "found the end of the file in a text whose quote is not closed"},
    MessageRow{"illegal document indicator in scalar",
               "found '---' or '...' in a text whose quote is not closed"},
    MessageRow{"illegal character in scalar", "found a sign in a text that must stand in quotes"},
    MessageRow{"unknown token", "found a sign that no value can begin with; such a text needs quotes"},
    MessageRow{"unknown escape character", "found an unknown escape behind a '\\'; text in '...' has none"},
    MessageRow{"the referenced anchor is not defined", "found *NAME without a &NAME before it"},
    MessageRow{"alias not found after *",
               "found a '*' without a name; a text that begins with it needs quotes"},
    MessageRow{"anchor not found after &",
               "found a '&' without a name; a text that begins with it needs quotes"},
};

}  // namespace

std::string yaml_message(std::string_view message) {
  for (const MessageRow& row : kRows)
    if (message.starts_with(row.of_parser)) return std::string(row.in_words);
  return "the text cannot be read from here on";
}

}  // namespace mash
