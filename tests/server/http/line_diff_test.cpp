// SPDX-License-Identifier: Apache-2.0
#include "server/http/frame/line_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>

namespace mash::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "-a", "+b", " c" of each line.
std::vector<std::string> changes(std::string_view before, std::string_view after) {
  std::vector<std::string> out;
  for (const DiffLine& line : line_diff(before, after)) {
    const char sign = line.change == LineChange::kAdded     ? '+'
                      : line.change == LineChange::kRemoved ? '-'
                                                            : ' ';
    out.push_back(sign + std::string(line.text));
  }
  return out;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// The length of the longest common subsequence, by the table of all places.
std::size_t num_common(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::vector<std::size_t>> longest(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j)
      longest[i][j] =
          a[i - 1] == b[j - 1] ? longest[i - 1][j - 1] + 1 : std::max(longest[i - 1][j], longest[i][j - 1]);
  return longest[a.size()][b.size()];
}

// Whether the lines give both texts back, each with its numbers.
void expect_both(const std::vector<DiffLine>& lines, const std::vector<std::string>& before,
                 const std::vector<std::string>& after) {
  std::vector<std::string> first, second;
  for (const DiffLine& line : lines) {
    EXPECT_EQ(line.before == 0, line.change == LineChange::kAdded);
    EXPECT_EQ(line.after == 0, line.change == LineChange::kRemoved);
    if (line.before > 0) {
      first.emplace_back(line.text);
      EXPECT_EQ(line.before, first.size());
    }
    if (line.after > 0) {
      second.emplace_back(line.text);
      EXPECT_EQ(line.after, second.size());
    }
  }
  EXPECT_EQ(first, before);
  EXPECT_EQ(second, after);
}

TEST(LinesOf, TakesEndsOfLinesOff) {
  EXPECT_THAT(lines_of(""), IsEmpty());
  EXPECT_THAT(lines_of("a"), ElementsAre("a"));
  EXPECT_THAT(lines_of("a\r\n\nb\n"), ElementsAre("a", "", "b"));
}

TEST(LineDiff, TellsWhatWasAddedAndRemoved) {
  EXPECT_THAT(changes("", ""), IsEmpty());
  EXPECT_THAT(changes("a\nb\n", "a\nb\n"), ElementsAre(" a", " b"));
  EXPECT_THAT(changes("", "a\n"), ElementsAre("+a"));
  EXPECT_THAT(changes("a\n", ""), ElementsAre("-a"));
  EXPECT_THAT(changes("a\nb\nc\n", "a\nx\nc\n"), ElementsAre(" a", "-b", "+x", " c"));
  EXPECT_THAT(changes("a\nb\nc\nd\n", "b\nc\ne\nd\nf\n"), ElementsAre("-a", " b", " c", "+e", " d", "+f"));
}

TEST(LineDiff, PutsRemovedLinesBeforeAddedOnes) {
  EXPECT_THAT(changes("a\nb\n", "x\ny\n"), ElementsAre("-a", "-b", "+x", "+y"));
}

TEST(LineDiff, ALineWithAnotherEndIsTheSame) {
  EXPECT_THAT(changes("a\r\nb", "a\nb\n"), ElementsAre(" a", " b"));
}

TEST(LineDiff, FindsTheFewestChangesOfRandomTexts) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> texts[2];
    for (auto& lines : texts)
      for (std::size_t n = random() % 40; n > 0; --n)
        lines.push_back(std::string(1, char('a' + random() % 4)));
    const std::string before = text_of(texts[0]), after = text_of(texts[1]);
    const std::vector<DiffLine> diff = line_diff(before, after);
    expect_both(diff, texts[0], texts[1]);
    const auto num_same = std::ranges::count(diff, LineChange::kSame, &DiffLine::change);
    EXPECT_EQ(std::size_t(num_same), num_common(texts[0], texts[1])) << before << "\n" << after;
  }
}

TEST(LineDiff, TextsThatDifferTooMuchAreComparedInBoundedTime) {
  std::mt19937 random(2);
  std::vector<std::string> first{"same"}, second{"same"};
  for (int i = 0; i < 60'000; ++i) {
    first.push_back(std::to_string(random() % 3));
    second.push_back(std::to_string(random() % 3 + 2));
  }
  first.push_back("end");
  second.push_back("end");
  const std::string before = text_of(first), after = text_of(second);
  const std::vector<DiffLine> diff = line_diff(before, after);
  expect_both(diff, first, second);
  // The fewest would be some 85,000; what was not compared is removed and added as a whole.
  EXPECT_GT(
      std::ranges::count_if(diff, [](const DiffLine& line) { return line.change != LineChange::kSame; }),
      115'000);
  EXPECT_EQ(diff.front().change, LineChange::kSame);
  EXPECT_EQ(diff.back().change, LineChange::kSame);
}

TEST(LineDiff, TextsOfVeryManyLinesAreReplacedAsAWhole) {
  const std::string same(150'000, '\n'), after = fmt::format("x{}y", same);
  EXPECT_EQ(line_diff(same, after).size(), 150'000u + 150'001u);
}

}  // namespace
}  // namespace mash::server
