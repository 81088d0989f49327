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
