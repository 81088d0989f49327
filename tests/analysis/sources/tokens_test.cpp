// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/sources/tokens.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace mash {
namespace {

using ::testing::ElementsAre;

std::vector<std::uint32_t> kinds(std::string_view source) {
  std::vector<std::uint32_t> kinds;
  for (const SourceToken& token : source_tokens(source)) kinds.push_back(token.kind);
  return kinds;
}
std::vector<std::uint32_t> lines(std::string_view source) {
  std::vector<std::uint32_t> lines;
  for (const SourceToken& token : source_tokens(source)) lines.push_back(token.line);
  return lines;
}

TEST(SourceTokens, NamesNumbersAndTextsAreOneKindEach) {
  EXPECT_EQ(kinds("float sum = 0;"), kinds("float total_2 = 1'000.5e-3f;"));
  EXPECT_EQ(kinds("f(\"a\", 'b')"), kinds("g(\"other \\\" text\", '\\'')"));
  EXPECT_NE(kinds("float a;"), kinds("double a;")) << "keywords stay what they are";
  for (const char* keyword :
       {"while", "volatile", "constexpr", "static_cast", "co_await", "wchar_t", "final"})
    EXPECT_NE(kinds(keyword), kinds("a")) << keyword;
  EXPECT_NE(kinds("while (a) b();"), kinds("sin(a) b();"));
  EXPECT_NE(kinds("a + b"), kinds("a - b"));
  EXPECT_NE(kinds("a"), kinds("1"));
}

TEST(SourceTokens, CommentsBlanksAndIncludesAreNone) {
  EXPECT_EQ(kinds("int a; // sum\n/* of\nrows */ int b;"), kinds("int a;int b;"));
  EXPECT_EQ(kinds("#include <cmath>\n  # include \"x.hpp\"\nint a;"), kinds("int a;"));
  EXPECT_NE(kinds("#define A int a;"), kinds("int a;")) << "a macro is code";
  EXPECT_TRUE(kinds("").empty());
  EXPECT_TRUE(kinds("/* without end").empty());
}

TEST(SourceTokens, KnowTheirLines) {
  EXPECT_THAT(lines("int a;\n\n  b;"), ElementsAre(1, 1, 1, 3, 3));
  EXPECT_THAT(lines("/* \n \n */ a"), ElementsAre(3));
  EXPECT_THAT(lines("R\"x(\n)\"\n)x\" a"), ElementsAre(1, 3)) << "a raw text over lines";
}

TEST(SourceTokens, OfAnyBytesHaveABound) {
  const std::string much(3 * kMostSourceTokens, ';');
  EXPECT_EQ(source_tokens(much).size(), kMostSourceTokens);
  EXPECT_EQ(source_tokens(std::string("\0\"\n'\\", 5)).size(), 3u);
  EXPECT_EQ(source_tokens("R\"(").size(), 1u);
  EXPECT_EQ(kinds("\xc3\xa4rger"), kinds("anger")) << "letters of other alphabets are letters";
}

}  // namespace
}  // namespace mash
