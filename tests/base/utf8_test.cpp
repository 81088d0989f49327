// SPDX-License-Identifier: Apache-2.0
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

TEST(Utf8, TakesSoundText) {
  for (const char* text :
       {"", "abc", "caf\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xf4\x8f\xbf\xbf", "\x7f", "\xc2\x80", "\xe0\xa0\x80", "\xf0\x90\x80\x80"})
    EXPECT_TRUE(is_utf8(text)) << text;
  EXPECT_TRUE(is_utf8(std::string_view("a\0b", 3)));
}

TEST(Utf8, StopsAtTheFirstUnsoundByte) {
  const std::pair<std::string_view, std::size_t> texts[] = {{"caf\xe9", 3},  // Latin-1
                                                            {"a\x80", 1},    // a continuation without a start
                                                            {"\xc3", 0},     // cut off
                                                            {"ab\xe2\x82", 2},            // cut off
                                                            {"\xc0\xaf", 0},              // overlong
                                                            {"\xe0\x9f\xbf", 0},          // overlong
                                                            {"\xf0\x8f\xbf\xbf", 0},      // overlong
                                                            {"\xc3\xa9\xed\xa0\x80", 2},  // a surrogate
                                                            {"\xf4\x90\x80\x80", 0},      // beyond U+10FFFF
                                                            {"\xff\xfe", 0},              // UTF-16's mark
                                                            {"\xf5\x80\x80\x80", 0}};
  for (const auto& [text, prefix] : texts) {
    EXPECT_EQ(utf8_prefix(text), prefix) << text;
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

TEST(Printable, IsShortAndHarmless) {
  EXPECT_EQ(printable(nullptr), "");
  EXPECT_EQ(printable("a\tb\x1b[0m\x7f"), "a?b?[0m?");
  EXPECT_EQ(printable("abcdef", 3), "abc");
  EXPECT_EQ(printable("größer"), "größer");
  EXPECT_EQ(printable("größer", 3), "gr?") << "cut within a character";
  EXPECT_EQ(printable("\xe9lev\xe9"), "?lev?");
  EXPECT_EQ(printable("a\xc2\x9b[0m\xc2\xa0"), "a?[0m\xc2\xa0") << "CSI, and a blank that stays";
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
}

// A character that nobody sees, as UTF-8, and as it is shown.
constexpr std::pair<std::string_view, std::string_view> kHiddenCharacters[] = {
    {"\xc2\xad", "\\u00ad"},              // soft hyphen
    {"\xd8\x9c", "\\u061c"},              // Arabic letter mark
    {"\xe2\x80\x8b", "\\u200b"},          // blank without width
    {"\xe2\x80\x8d", "\\u200d"},          // joiner
    {"\xe2\x80\x8e", "\\u200e"},          // left-to-right mark
    {"\xe2\x80\xa8", "\\u2028"},          // line separator
    {"\xe2\x80\xaa", "\\u202a"},          // embedding
    {"\xe2\x80\xae", "\\u202e"},          // override
    {"\xe2\x81\xa6", "\\u2066"},          // isolate
    {"\xe2\x81\xa9", "\\u2069"},          // end of an isolate
    {"\xef\xbb\xbf", "\\ufeff"},          // byte order mark
    {"\xcd\x8f", "\\u034f"},              // joiner of graphemes
    {"\xe1\x85\x9f", "\\u115f"},          // filler of Hangul
    {"\xe1\x9e\xb4", "\\u17b4"},          // vowel that is not written
    {"\xe1\xa0\x8b", "\\u180b"},          // selector of variants
    {"\xe2\xa0\x80", "\\u2800"},          // braille without dots
    {"\xe3\x85\xa4", "\\u3164"},          // filler of Hangul
    {"\xef\xb8\x80", "\\ufe00"},          // selector of variants
    {"\xef\xbe\xa0", "\\uffa0"},          // filler of half width
    {"\xf0\x9b\xb2\xa0", "\\U0001bca0"},  // shorthand
    {"\xf0\x9d\x85\xb3", "\\U0001d173"},  // music
    {"\xf3\xa0\x84\x80", "\\U000e0100"},  // selector of variants
    {"\xf3\xa0\x81\x81", "\\U000e0041"},  // tag
};

TEST(HiddenCharacters, AreShownAsEscapes) {
  for (const auto& [hidden, shown] : kHiddenCharacters) {
    const std::string text = "MIT" + std::string(hidden) + "gpj.",
                      expected = "MIT" + std::string(shown) + "gpj.";
    EXPECT_TRUE(hidden_character(hidden)) << shown;
    EXPECT_EQ(without_hidden_characters(text), expected);
    EXPECT_EQ(printable(text), expected);
    EXPECT_EQ(printable_lines(text + "\n", 100), expected + "\n");
  }
  for (const char* text : {"größer", "\xe4\xb8\xad", "\xc2\xa0", "\xf0\x9f\x98\x80",
                           "\xe2\x9d\xa4\xef\xb8\x8f", "\xff", "a\tb\n", ""})
    EXPECT_EQ(without_hidden_characters(text), text);
}

TEST(Printable, OfLinesKeepsTheirEnds) {
  EXPECT_EQ(printable_lines("a\n\x1b[0m\n\nb", 100), "a\n?[0m\n\nb");
  EXPECT_EQ(printable_lines("a\nbc", 3), "a\nb");
  EXPECT_EQ(printable_lines("", 3), "");
}

TEST(IsLineOfText, TakesTabsAndNoOtherControlCharacter) {
  for (const char* text : {"", "a\tb", "größer", "\xc2\xa0"}) EXPECT_TRUE(is_line_of_text(text)) << text;
  for (const char* text : {"a\nb", "\x1b[0m", "\x7f", "\xc2\x9b", "\xe9"})
    EXPECT_FALSE(is_line_of_text(text)) << text;
}

TEST(CheckUtf8, NamesLineAndByte) {
  EXPECT_TRUE(check_utf8("a\nü\n", "f.csv").ok());
  const Status status = check_utf8("ab\nc\xe9\n", "f.csv");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kInput);
  EXPECT_EQ(status.error().message, "f.csv:2: found the byte 0xe9 at offset 4, expected UTF-8 text");
}

}  // namespace
}  // namespace mash
