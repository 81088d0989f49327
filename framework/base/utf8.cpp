// SPDX-License-Identifier: Apache-2.0
#include "framework/base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace mash {
namespace {

// The length of the sequence that `text` begins with; 0 where it is not sound.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  std::size_t length = first < 0x80   ? 1
                       : first < 0xc2 ? 0
                       : first < 0xe0 ? 2
                       : first < 0xf0 ? 3
                       : first < 0xf5 ? 4
                                      : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool surrogate = first == 0xed && byte(1) > 0x9f;
  const bool beyond = first == 0xf4 && byte(1) > 0x8f;
  return overlong || surrogate || beyond ? 0 : length;
}

// Characters that are not seen themselves, first and last of each run: Default_Ignorable_Code_Point of the
// Unicode Character Database, without the two that choose between a sign and its picture (U+FE0E, U+FE0F);
// ends of lines and paragraphs, a pattern of braille without dots, marks of notes.
constexpr std::pair<char32_t, char32_t> kHidden[] = {
    {0x00ad, 0x00ad},   {0x034f, 0x034f},   {0x061c, 0x061c},   {0x115f, 0x1160}, {0x17b4, 0x17b5},
    {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f}, {0x2800, 0x2800},
    {0x3164, 0x3164},   {0xfe00, 0xfe0d},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0}, {0xfff0, 0xfffb},
    {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

// REQUIRES: one sound sequence.
char32_t decoded(std::string_view sequence) {
  const auto byte = [&](std::size_t i) { return char32_t(static_cast<unsigned char>(sequence[i])); };
  if (sequence.size() == 1) return byte(0);
  char32_t character = byte(0) & (0x7fu >> sequence.size());
  for (std::size_t i = 1; i < sequence.size(); ++i) character = character << 6 | (byte(i) & 0x3f);
  return character;
}

// "\u202e", and "\U000e0001" beyond four digits.
std::string escape_of(char32_t character) {
  const auto number = std::uint32_t(character);
  return number > 0xffff ? fmt::format("\\U{:08x}", number) : fmt::format("\\u{:04x}", number);
}

// The beginning of a text: a character, or a byte that is not part of one.
struct First {
  std::size_t length = 1;
  bool is_shown = false;  // neither broken nor a control character, be it ASCII's or one of U+0080 to U+009F
};
First first_of(std::string_view text) {
  const std::size_t length = sequence_length(text);
  if (length == 0) return {};
  const bool is_second_control = text[0] == '\xc2' && static_cast<unsigned char>(text[1]) < 0xa0;
  return {length, !is_control(text[0]) && !is_second_control};
}

}  // namespace

std::size_t utf8_prefix(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size()) {
    const std::size_t length = sequence_length(text.substr(size));
    if (length == 0) break;
    size += length;
  }
  return size;
}

std::size_t num_code_points(std::string_view text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

std::optional<char32_t> hidden_character(std::string_view text) {
  const std::size_t length = sequence_length(text);
  if (length < 2) return std::nullopt;
  const char32_t character = decoded(text.substr(0, length));
  const bool is_hidden = std::any_of(std::begin(kHidden), std::end(kHidden), [&](const auto& run) {
    return run.first <= character && character <= run.second;
  });
  return is_hidden ? std::optional(character) : std::nullopt;
}

std::string without_hidden_characters(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(sequence_length(text), 1);
    if (const auto hidden = hidden_character(text))
      shown += escape_of(*hidden);
    else
      shown += text.substr(0, length);
    text.remove_prefix(length);
  }
  return shown;
}

bool is_line_of_text(std::string_view text) {
  while (!text.empty()) {
    const First first = first_of(text);
    if (!first.is_shown && text[0] != '\t') return false;
    text.remove_prefix(first.length);
  }
  return true;
}

std::string printable(std::string_view text, std::size_t max_length) {
  std::string shown;
  for (text = text.substr(0, max_length); !text.empty();) {
    const First first = first_of(text);
    if (const auto hidden = hidden_character(text))
      shown += escape_of(*hidden);
    else
      shown += first.is_shown ? text.substr(0, first.length) : "?";
    text.remove_prefix(first.length);
  }
  return shown;
}

std::string printable(const char* text, std::size_t max_length) {
  return text == nullptr ? "" : printable(std::string_view(text, ::strnlen(text, max_length)), max_length);
}

std::string printable_lines(std::string_view text, std::size_t max_length) {
  std::string lines;
  for (text = text.substr(0, max_length); !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += printable(text.substr(0, end), end) + (end < text.size() ? "\n" : "");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Status check_utf8(std::string_view text, std::string_view file) {
  const std::size_t prefix = utf8_prefix(text);
  if (prefix == text.size()) return Done{};
  const auto line = std::count(text.begin(), text.begin() + std::ptrdiff_t(prefix), '\n') + 1;
  return input_error("{}:{}: found the byte {:#04x} at offset {}, expected UTF-8 text", file, line,
                     static_cast<unsigned char>(text[prefix]), prefix);
}

}  // namespace mash
