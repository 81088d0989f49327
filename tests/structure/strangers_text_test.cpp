// SPDX-License-Identifier: Apache-2.0
// Readers of text that anybody may have written: none calls itself as often as the text has it, and the page
// on safety says what the tests hold.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/structure/checkout.hpp"
#include "tests/structure/source_tree.hpp"

namespace mash::testing {
namespace {

namespace fs = std::filesystem;

struct Forbidden {
  const char* text;
  std::set<std::string> allowed_in;  // files
  const char* why;
};

constexpr const char* kConverts =
    "converts any number that stands there, 1e300 too: see that it is a whole one first (is_number_unsigned)";

// Parts of libraries whose stack, time or result a stranger's text decides.
const Forbidden kForbidden[] = {
    {"std::regex",
     {},
     "matches by calling itself for each character: look for words, or walk through the text"},
    {"<regex>", {}, "as std::regex"},
    {"::parse(",
     {"framework/base/bounded_json.hpp", "classifiers/model/json_reader.cpp"},
     "builds what may be nested without end: use parse_json (framework/base/bounded_json.hpp)"},
    {"::accept(", {}, "as json::parse"},
    {"::from_cbor(",
     {"classifiers/boosters/loop/checkpoint.cpp", "framework/operations/offers/cache.cpp"},
     "calls itself for each level: only files of our own, with a checksum, are read so"},
    {"<boost/property_tree", {}, "its parsers call themselves for each level"},
    {"<boost/spirit", {}, "its parsers call themselves for each level"},
    {"_t(number_at(", {}, kConverts},
    // The files that are allowed check the number first, or read what our own programs wrote.
    {".get<std::size_t>()",
     {"framework/checks/step.cpp", "framework/cli/background_offer.cpp", "server/http/accounts/told.cpp"},
     kConverts},
    {".get<std::uint64_t>()",
     {"classifiers/model/json_reader.cpp", "classifiers/model/model_file.cpp",
      "framework/dataset/imported.cpp"},
     kConverts},
    {".get<std::uint32_t>()",
     {"classifiers/model/json_reader.cpp", "framework/checks/step.cpp", "framework/cli/heuristic_watch.cpp",
      "framework/operations/offers/cache.cpp"},
     kConverts},
    {".get<std::int64_t>()",
     {"framework/cli/submit.cpp", "framework/operations/site/client.cpp",
      "framework/operations/site/documents.cpp"},
     kConverts},
    {".get<std::int32_t>()", {"classifiers/model/json_reader.cpp"}, kConverts},
    {".get<int>()", {"framework/checks/step.cpp"}, kConverts},
};

TEST(StrangersText, MeetsNoReaderWhoseStackItDecides) {
  std::size_t num_files = 0;
  for (const fs::path& file : sources(kProgramTrees)) {
    const std::string name = fs::relative(file, kSource).string(), text = text_of(file);
    ++num_files;
    for (const Forbidden& forbidden : kForbidden)
      EXPECT_TRUE(forbidden.allowed_in.contains(name) || text.find(forbidden.text) == std::string::npos)
          << name << " has " << forbidden.text << ", which " << forbidden.why;
  }
  EXPECT_GT(num_files, 500u) << "the test looks in the wrong place";
}

// The cells of a line of a Markdown table, without the blanks around them.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t begin = 1; begin < line.size();) {
    const std::size_t end = std::min(line.find('|', begin), line.size());
    const std::size_t first = line.find_first_not_of(' ', begin), last = line.find_last_not_of(' ', end - 1);
    cells.push_back(first < end ? line.substr(first, last + 1 - first) : "");
    begin = end + 1;
  }
  return cells;
}

// The texts in backquotes.
std::vector<std::string> code_in(const std::string& cell) {
  std::vector<std::string> found;
  for (std::size_t at = cell.find('`'); at != std::string::npos; at = cell.find('`', at)) {
    const std::size_t end = cell.find('`', at + 1);
    if (end == std::string::npos) break;
    found.push_back(cell.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return found;
}

struct Claim {
  std::string text, test;
};

// Rows of the tables of docs/security.md whose last column is called `test`.
std::vector<Claim> claims_of_security() {
  std::vector<Claim> claims;
  bool is_claims = false;
  for (const std::string& line : lines_of(kSource / "docs/security.md")) {
    if (!line.starts_with("|")) {
      is_claims = false;
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    if (cells.back() == "test")
      is_claims = true;
    else if (is_claims && !cells.back().starts_with("-"))
      claims.push_back({cells.front(), cells.back()});
  }
  return claims;
}

// Whether a test of that name is there: `Suite.Name`, `Name`, `Suite.*`, a file below tests, `fuzz_NAME`.
bool is_there(const std::string& test, const std::string& all_tests) {
  if (test.starts_with("tests/")) return fs::exists(kSource / test);
  if (test.starts_with("fuzz_")) return fs::exists(kSource / "tests/fuzz" / (test.substr(5) + ".cpp"));
  const std::size_t dot = test.find('.');
  const std::string suite = test.substr(0, dot), name = dot == std::string::npos ? "" : test.substr(dot + 1);
  if (dot == std::string::npos) return all_tests.find(", " + test + ")") != std::string::npos;
  for (const char* macro : {"TEST(", "TEST_F(", "TEST_P("}) {
    const std::string begin = macro + suite + ", ";
    if (name == "*" ? all_tests.find(begin) != std::string::npos
                    : all_tests.find(begin + name + ")") != std::string::npos)
      return true;
  }
  return false;
}

TEST(Security, ClaimsStandInTablesWithTheTestOfEach) {
  std::string all_tests;
  for (const fs::path& file : sources({"tests"})) all_tests += text_of(file);
  const std::vector<Claim> claims = claims_of_security();
  EXPECT_GE(claims.size(), 40u) << "docs/security.md has fewer claims than it had";
  for (const auto& [claim, test] : claims) {
    const std::vector<std::string> names = code_in(test);
    EXPECT_FALSE(names.empty()) << "no test of: " << claim;
    for (const std::string& name : names)
      EXPECT_TRUE(is_there(name, all_tests)) << claim << ": there is no test " << name;
  }
}

TEST(Security, ATestThatIsNotThereIsFound) {
  const std::string tests = "TEST(One, IsThere) {}\nTEST_F(Two, IsTooMuch) {}\n";
  for (const char* name :
       {"One.IsThere", "IsTooMuch", "Two.*", "tests/structure/structure_test.cpp", "fuzz_http"})
    EXPECT_TRUE(is_there(name, tests)) << name;
  for (const char* name : {"One.IsTooMuch", "IsNot", "Three.*", "tests/no_test.cpp", "fuzz_no"})
    EXPECT_FALSE(is_there(name, tests)) << name;
}

}  // namespace
}  // namespace mash::testing
