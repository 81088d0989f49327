// SPDX-License-Identifier: Apache-2.0
// The documents: short lines, plain words, and files that are there.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/structure/checkout.hpp"
#include "tests/structure/plain_words.hpp"
#include "tests/structure/source_tree.hpp"

namespace mash::testing {
namespace {

constexpr std::size_t kProse = 110, kTable = 150;

// Documents whose tables are as wide as what the program prints, with which tests compare them.
const std::set<std::string> kWideTables{"docs/decisions/0010-error-of-a-mean.md", "docs/experiment-file.md",
                                        "docs/security.md"};

// Those in folders of docs/results are written by `mash reproduce`.
bool is_written_by_hand(const std::string& file) {
  const std::string results = "docs/results/";
  return !file.starts_with(results) || file.find('/', results.size()) == std::string::npos;
}

std::vector<std::string> documents() {
  std::vector<std::string> found{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"};
  for (const auto& [folder, files] : files_by_folder())
    for (const std::string& file : files)
      if (const std::string path = folder + "/" + file;
          path.starts_with("docs/") && file.ends_with(".md") && is_written_by_hand(path))
        found.push_back(path);
  return found;
}

// The characters of a line of UTF-8.
std::size_t width(const std::string& line) {
  return std::size_t(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// The lines that are too long, from 1. Those of code have any width.
std::vector<std::size_t> too_long(const std::vector<std::string>& lines, std::size_t table_width) {
  std::vector<std::size_t> found;
  bool is_code = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t begin = std::min(lines[i].find_first_not_of(' '), lines[i].size());
    const bool is_fence = lines[i].compare(begin, 3, "```") == 0;
    is_code ^= is_fence;
    if (!is_code && !is_fence && width(lines[i]) > (lines[i][begin] == '|' ? table_width : kProse))
      found.push_back(i + 1);
  }
  return found;
}

TEST(Documents, HaveShortLines) {
  EXPECT_GT(documents().size(), 25u) << "the test looks in the wrong place";
  for (const std::string& name : documents())
    for (const std::size_t line :
         too_long(lines_of(kSource / name), kWideTables.contains(name) ? std::string::npos : kTable))
      ADD_FAILURE() << name << ":" << line << " is too long: script/reflow wraps it, and a table is for "
                    << "numbers";
}

TEST(Documents, UsePlainWords) {
  for (const std::string& name : documents())
    for (const std::string& word : words_to_avoid(text_of(kSource / name)))
      ADD_FAILURE() << name << " says " << word;
}

TEST(Documents, LinesOfProseAndTablesAreMeasured) {
  using ::testing::ElementsAre;
  const std::string prose(kProse, 'a'), umlauts = "\xc3\xa4" + prose.substr(1);
  EXPECT_THAT(too_long({prose, prose + "a", umlauts, umlauts + "a"}, kTable), ElementsAre(2, 4));
  EXPECT_THAT(
      too_long({"```", prose + "a", "```", prose + "a", "", "| " + prose, "  | " + prose + prose}, kTable),
      ElementsAre(4, 7));
  EXPECT_TRUE(is_written_by_hand("docs/results/README.md"));
  EXPECT_FALSE(is_written_by_hand("docs/results/table4-1000/table4.md"));
}

}  // namespace
}  // namespace mash::testing
