// SPDX-License-Identifier: Apache-2.0
// The ± of a figure is a standard deviation, a standard error or an interval: where one is printed, its
// reader is told which.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "tests/structure/cpp_text.hpp"
#include "tests/structure/source_tree.hpp"

namespace mash::testing {
namespace {

namespace fs = std::filesystem;

// Ways to say it.
constexpr std::array<std::string_view, 6> kNames{"±: ",    "kHalfInterval", "± standard",
                                                 "± s.e.", "± half",        "± 95 %"};

bool says_what_it_is(const std::string& text) {
  return std::ranges::any_of(kNames,
                             [&](std::string_view name) { return text.find(name) != std::string::npos; });
}

std::string without_comments(const std::string& text) {
  std::string code;
  std::size_t end = 0;
  for (const Comment& comment : comments_of(text)) {
    const auto begin = std::size_t(comment.text.data() - text.data());
    code += text.substr(end, begin - end);
    end = begin + comment.text.size();
  }
  return code + text.substr(end);
}

// Sources whose text is shown by another one, which says it.
const std::map<std::string, std::string> kSaidBy{
    {"framework/reports/credit.cpp", "framework/reports/run/pool_report.cpp"},
    {"framework/reports/leaderboard_legend.cpp", "framework/render/table.cpp"},  // it stands below the table
    {"framework/reproductions/budget/time_report.cpp", "framework/reproductions/common/report.cpp"},
    {"framework/reproductions/reservoir/report.cpp", "framework/reproductions/common/report.cpp"},
    {"server/http/heuristics/history.cpp", "server/http/heuristics/feed.cpp"},
    {"server/http/heuristics/compare.cpp", "server/http/heuristics/compare_sections.cpp"},
};

TEST(PlusMinus, IsNamedWhereItIsPrinted) {
  std::size_t num_printing = 0;
  for (const fs::path& file : sources(kProgramTrees)) {
    const std::string name = name_in_tree(file), text = without_comments(text_of(file));
    if (text.find("± ") == std::string::npos) continue;
    ++num_printing;
    const auto by_another = kSaidBy.find(name);
    EXPECT_TRUE(says_what_it_is(by_another == kSaidBy.end() ? text : text_of(kSource / by_another->second)))
        << name << " prints ± and does not say what it is: kHalfInterval (framework/render/wording.hpp) does";
  }
  EXPECT_GE(num_printing, 10u) << "the test looks in the wrong place";
}

TEST(PlusMinus, IsNamedOnEveryPageThatHasIt) {
  std::size_t num_pages = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "docs")) {
    const std::string text = entry.path().extension() == ".md" ? text_of(entry.path()) : "";
    if (text.find("± ") == std::string::npos) continue;
    ++num_pages;
    EXPECT_TRUE(says_what_it_is(text)) << name_in_tree(entry.path()) << " has ± and does not say what it is";
  }
  EXPECT_GE(num_pages, 10u) << "the test looks in the wrong place";
}

}  // namespace
}  // namespace mash::testing
