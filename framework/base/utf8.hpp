// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "framework/base/result.hpp"

namespace mash {

// The number of bytes up to the first that is not part of sound UTF-8 (RFC 3629: no overlong forms, no
// surrogates, nothing beyond U+10FFFF); text.size() where all of it is sound.
std::size_t utf8_prefix(std::string_view text);

inline bool is_utf8(std::string_view text) { return utf8_prefix(text) == text.size(); }

// Bytes that do not continue a code point. REQUIRES: UTF-8.
std::size_t num_code_points(std::string_view text);

// Only ASCII has control characters of one byte; those of the rest of Unicode take two.
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Whether it is UTF-8 without control characters other than tabs.
bool is_line_of_text(std::string_view text);

// The text behind a byte order mark, where it begins with one.
std::string_view without_byte_order_mark(std::string_view text);

// The character that a text begins with, where it is one that nobody sees: it turns the direction of what
// follows, or takes no room (U+202E, U+200B, ...).
std::optional<char32_t> hidden_character(std::string_view text);

// The text with hidden characters as escapes: "a\u202eb".
std::string without_hidden_characters(std::string_view text);

// A stranger's text as it may be shown: at most `max_length` bytes of it, control characters and what is not
// UTF-8 made '?', hidden characters as escapes. Null gives "".
std::string printable(std::string_view text, std::size_t max_length = 1000);
std::string printable(const char* text, std::size_t max_length = 1000);

// The same of a text of several lines, whose ends stay.
std::string printable_lines(std::string_view text, std::size_t max_length);

// Errors: kInput naming file, line and byte where the file's text is not UTF-8: what it names goes into
// messages, records and models, which are.
Status check_utf8(std::string_view text, std::string_view file);

}  // namespace mash
