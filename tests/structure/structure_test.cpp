// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace mash {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = MASH_SOURCE_DIR;

// The flow. A folder may include itself and what is in an earlier row.
const std::vector<std::vector<std::string>> kFlow{
    {"sdk/include"},
    {"framework/base"},
    {"framework/dataset"},
    {"framework/extractors"},
    {"framework/families", "framework/checks"},
    {"classifiers/model", "classifiers/losses"},
    {"classifiers/scan"},
    {"classifiers/samplers"},
    {"classifiers/weak"},
    {"classifiers/boosters"},
    {"classifiers"},
    {"framework/records"},
    {"framework/reports"},
    {"framework/cli"},
};

int row_of(const std::string& folder) {
  for (std::size_t row = 0; row < kFlow.size(); ++row)
    if (std::find(kFlow[row].begin(), kFlow[row].end(), folder) != kFlow[row].end()) return int(row);
  return -1;
}

std::vector<fs::path> sources(const std::vector<std::string>& folders) {
  std::vector<fs::path> files;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
      if (const auto extension = entry.path().extension();
          extension == ".cpp" || extension == ".hpp" || extension == ".h")
        files.push_back(entry.path());
  return files;
}

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// The folder that an include names: "framework/base/file.hpp" is of framework/base, "mash/abi/image.h" of the
// SDK.
std::string included_folder(const std::string& include) {
  if (include.rfind("mash/", 0) == 0) return "sdk/include";
  return fs::path(include).parent_path().string();
}

TEST(Structure, IncludesPointLeft) {
  const std::regex pattern("^\\s*#include \"([^\"]+)\"");
  std::size_t num_includes = 0;
  for (const fs::path& file : sources({"framework", "classifiers"})) {
    const std::string folder = fs::relative(file.parent_path(), kSource).string();
    ASSERT_GE(row_of(folder), 0) << folder << " has no place in the flow";
    for (const std::string& line : lines_of(file)) {
      std::smatch match;
      if (!std::regex_search(line, match, pattern)) continue;
      ++num_includes;
      const std::string included = included_folder(match[1]);
      ASSERT_GE(row_of(included), 0) << file << " includes " << match[1];
      EXPECT_TRUE(included == folder || row_of(included) < row_of(folder))
          << fs::relative(file, kSource) << " includes " << match[1] << ", which is right of it";
    }
  }
  EXPECT_GT(num_includes, 100u) << "the test looks in the wrong place";
}

TEST(Structure, TrainingKnowsNoDatabaseAndNoYaml) {
  const std::regex forbidden("#include <(SQLiteCpp|sqlite3|yaml-cpp|CLI)");
  for (const fs::path& file : sources({"classifiers", "framework/families", "framework/base"}))
    for (const std::string& line : lines_of(file))
      EXPECT_FALSE(std::regex_search(line, forbidden)) << fs::relative(file, kSource) << ": " << line;
}

// What a target is linked with, in the words of its folder's CMakeLists.txt.
TEST(Structure, ClassifiersLinkNoDatabase) {
  std::size_t num_targets = 0;
  for (const std::string& line : lines_of(kSource / "classifiers" / "CMakeLists.txt")) {
    num_targets += line.find("mash_module(") == 0;
    for (const char* forbidden : {"SQLite", "mash_records", "mash_reports", "mash_cli"})
      EXPECT_EQ(line.find(forbidden), std::string::npos) << line;
  }
  EXPECT_GE(num_targets, 6u);
}

TEST(Structure, TheSdkNeedsNothingOfTheFramework) {
  const std::regex forbidden("#include [<\"](boost|fmt|framework|classifiers|spdlog|nlohmann)");
  for (const fs::path& file : sources({"sdk", "heuristics"}))
    for (const std::string& line : lines_of(file))
      EXPECT_FALSE(std::regex_search(line, forbidden)) << fs::relative(file, kSource) << ": " << line;
}

TEST(Structure, EveryHeuristicIsAFolderWithSourceAndReadme) {
  std::size_t num_heuristics = 0;
  for (const auto& entry : fs::directory_iterator(kSource / "heuristics")) {
    if (!entry.is_directory() || entry.path().filename() == "common") continue;
    ++num_heuristics;
    EXPECT_TRUE(fs::exists(entry.path() / "heuristic.cpp")) << entry.path();
    EXPECT_TRUE(fs::exists(entry.path() / "README.md")) << entry.path();
  }
  EXPECT_GE(num_heuristics, 26u);
}

TEST(Structure, EveryFileSaysItsLicence) {
  for (const fs::path& file : sources({"framework", "classifiers", "sdk", "heuristics", "tests"})) {
    const auto lines = lines_of(file);
    ASSERT_FALSE(lines.empty()) << file;
    const bool outside_example = file.string().find("tests/sdk/outside") != std::string::npos;
    EXPECT_TRUE(outside_example || lines[0].find("SPDX-License-Identifier: Apache-2.0") != std::string::npos)
        << fs::relative(file, kSource);
  }
}

// The column limit of .clang-format, and some more for SQL and CSS, which it does not fold.
TEST(Structure, LinesAreShortAndHaveNoTabs) {
  for (const fs::path& file : sources({"framework", "classifiers", "sdk", "heuristics", "tests"}))
    for (const std::string& line : lines_of(file))
      EXPECT_TRUE(line.size() <= 130 && line.find('\t') == std::string::npos)
          << fs::relative(file, kSource) << ": " << line;
}

}  // namespace
}  // namespace mash
