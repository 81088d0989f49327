// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/sources/likeness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Sums of rows and of columns, and the largest value: 9 lines.
constexpr std::string_view kSource = R"cpp(void compute(const View& view, std::span<float> out) {
                                             for (std::size_t y = 0; y < view.height(); ++y) {
                                               float sum = 0;
                                               for (std::size_t x = 0; x < view.width(); ++x) sum += view.gray()(x, y) * 2.5f;
                                               out[y] = sum / view.width();
                                             }
                                             if (out.empty()) return;
                                             while (out.size() > 3 && out[0] != out[1]) out = out.subspan(1);
                                           }
)cpp";

std::string renamed(std::string text) {
  for (const auto& [from, to] :
       {std::pair("sum", "total"), std::pair("view", "picture"), std::pair("2.5f", "7")})
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 8))
      text.replace(at, std::string_view(from).size(), to);
  return text;
}

SourceLikeness likeness(std::string_view one, std::string_view other,
                        std::span<const std::string_view> templates = {}) {
  const CommonRuns common(templates);
  return source_likeness(common.read(one), common.read(other));
}

// Figure 2 of the paper, with windows of 4 hashes.
TEST(Winnowing, ChoosesTheFingerprintsOfItsPaper) {
  const std::vector<std::uint64_t> hashes{77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98};
  EXPECT_THAT(winnowed(hashes, 4), ElementsAre(Fingerprint{17, 3}, Fingerprint{17, 6}, Fingerprint{8, 8},
                                               Fingerprint{39, 11}, Fingerprint{17, 15}));
}

TEST(Winnowing, OfFewHashesIsOneAndOfNoneNone) {
  EXPECT_THAT(winnowed(std::vector<std::uint64_t>{5, 3, 9}), ElementsAre(Fingerprint{3, 1}));
  EXPECT_THAT(winnowed(std::vector<std::uint64_t>{}), IsEmpty());
  EXPECT_THAT(run_hashes(source_tokens("a;b;c;d;e;f")), IsEmpty()) << "11 tokens are no run of 12";
  EXPECT_EQ(run_hashes(source_tokens("a;b;c;d;e;f;")).size(), 1u);
}

TEST(SourceLikenesses, ARenamedCopyIsEqualFromItsFirstLineToItsLast) {
  const SourceLikeness found = likeness(kSource, renamed(std::string(kSource)));
  ASSERT_EQ(found.parts.size(), 1u);
  EXPECT_EQ(found.parts[0].one, (LineSpan{1, 9}));
  EXPECT_EQ(found.parts[0].other, (LineSpan{1, 9}));
  EXPECT_EQ(found.num_equal, source_tokens(kSource).size());
  EXPECT_EQ(found.num_shared, found.num_prints);
  EXPECT_EQ(found.num_shared, found.num_other_prints);
}

TEST(SourceLikenesses, PartsAreFoundWhereTheyWereMovedTo) {
  // Lines 2 to 6 behind something else.
  const std::string text(kSource);
  const std::size_t begin = text.find("  for"), end = text.find("  if (out");
  const std::string other = "int a(int b) { return b < 2 ? 1 : b * a(b - 1); }\nstruct S { long c, d; };\n" +
                            text.substr(begin, end - begin);
  const SourceLikeness found = likeness(kSource, other);
  ASSERT_EQ(found.parts.size(), 1u);
  EXPECT_EQ(found.parts[0].one, (LineSpan{2, 6}));
  EXPECT_EQ(found.parts[0].other, (LineSpan{3, 7}));
  EXPECT_LT(found.num_shared, found.num_prints);
  EXPECT_GT(found.num_shared, 0u);
}

TEST(SourceLikenesses, OfWhatHasNothingInCommonThereAreNone) {
  const SourceLikeness found =
      likeness(kSource, "template <class T> struct Node { Node *left, *right; T value; Node() = delete; };");
  EXPECT_THAT(found.parts, IsEmpty());
  EXPECT_EQ(found.num_equal, 0u);
  EXPECT_EQ(found.num_shared, 0u);
}

TEST(SourceLikenesses, WhatATemplateHasCountsForNothing) {
  const std::string_view templates[] = {kSource};
  std::string own(kSource);
  own += "enum class E { a = 1, b = 2, c = 3, d = 4, e = 5, f = 6 };\n";
  const CommonRuns common(templates);
  EXPECT_EQ(common.read(kSource).num_own, 0u);
  EXPECT_THAT(common.read(renamed(std::string(kSource))).prints, IsEmpty());
  EXPECT_GT(common.read(own).num_own, 20u);
  EXPECT_EQ(likeness(kSource, own, templates).num_equal, 0u);
  const SourceLikeness both = likeness(own, own, templates);
  ASSERT_EQ(both.parts.size(), 1u);
  EXPECT_EQ(both.parts[0].one, (LineSpan{10, 10}));
}

// Equal tokens without end: the work stays bounded.
TEST(SourceLikenesses, OfHostileSourcesTakeLittleTime) {
  std::string repeated, periodic;
  for (std::size_t i = 0; i < kMostSourceTokens; ++i) repeated += "+";
  for (std::size_t i = 0; i < 2000; ++i) periodic += "if(a)b=1;else while(c<2)d[3]=e;";
  EXPECT_EQ(likeness(repeated, repeated).num_equal, kMostSourceTokens);
  EXPECT_GT(likeness(periodic, periodic + "x").num_equal, 0u);
}

}  // namespace
}  // namespace mash
