// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/structure/checkout.hpp"
#include "tests/structure/source_tree.hpp"

namespace mash::testing {
namespace {

constexpr std::size_t kFiles = 45, kFilesOfARoom = 35;

// Folders with more files, and why.
const std::map<std::string, std::string> kWide{
    {"framework/base", "what everything is built of: the names explain themselves"},
    {"framework/cli", "a file for every subcommand"},
};

// Folders that were split into rooms: each of their folders is about one thing, and its files leave that out
// of their names.
const std::vector<std::string> kSplit{"classifiers/boosters",    "framework/operations", "framework/records",
                                      "framework/reproductions", "framework/reports",    "server/http"};

bool is_in(const std::string& folder, const std::string& above) {
  return folder == above || folder.starts_with(above + "/");
}

bool is_in_any(const std::string& folder, const std::vector<std::string>& above) {
  return std::any_of(above.begin(), above.end(), [&](const std::string& one) { return is_in(folder, one); });
}

// Words that no file of the folder begins with: "reports/" has no reports_x and no report_x.
std::vector<std::string> said_by(const std::string& folder) {
  std::string name = std::filesystem::path(folder).filename().string();
  std::replace(name.begin(), name.end(), '-', '_');
  std::vector<std::string> names{name + "_"};
  if (name.ends_with("ies")) names.push_back(name.substr(0, name.size() - 3) + "y_");
  if (name.ends_with("s")) names.push_back(name.substr(0, name.size() - 1) + "_");
  return names;
}

TEST(Folders, HaveNoMoreFilesThanOneSees) {
  std::map<std::string, std::string> wide = kWide;
  std::size_t num_folders = 0;
  for (const auto& [folder, files] : files_by_folder()) {
    if (!is_in_any(folder, kSourceTrees)) continue;
    ++num_folders;
    const std::size_t limit = is_in_any(folder, kSplit) ? kFilesOfARoom : kFiles;
    if (files.size() > limit && wide.erase(folder) == 0)
      ADD_FAILURE() << folder << " has " << files.size() << " files, at most " << limit
                    << ": split it into folders by concern";
  }
  for (const auto& [folder, reason] : wide) ADD_FAILURE() << folder << ": the exception is needed no longer";
  EXPECT_GT(num_folders, 150u) << "the test looks in the wrong place";
}

TEST(Folders, AreNotSaidOnceMoreByTheirFiles) {
  std::map<std::string, int> num_files;
  for (const std::string& room : kSplit) num_files[room] = 0;
  for (const auto& [folder, files] : files_by_folder())
    for (const std::string& room : kSplit) {
      if (!is_in(folder, room)) continue;
      num_files[room] += int(files.size());
      for (const std::string& file : files)
        for (const std::string& prefix : said_by(folder))
          EXPECT_FALSE(file.starts_with(prefix))
              << folder << "/" << file << ": the folder says '" << prefix << "'";
    }
  for (const auto& [room, count] : num_files) EXPECT_GT(count, 20) << room << " is no folder with rooms";
}

TEST(Folders, SayTheirNameAndItsSingular) {
  using ::testing::ElementsAre;
  EXPECT_THAT(said_by("server/http/boards"), ElementsAre("boards_", "board_"));
  EXPECT_THAT(said_by("framework/families"), ElementsAre("families_", "family_", "familie_"));
  EXPECT_THAT(said_by("classifiers/boosters/whole_side"), ElementsAre("whole_side_"));
}

TEST(Folders, WithCppAreInTheListOfTrees) {
  std::vector<std::string> trees;
  for (const auto& [folder, files] : files_by_folder()) {
    const std::string tree = folder.substr(0, folder.find('/'));
    const auto is_cpp = [](const std::string& file) {
      return file.ends_with(".cpp") || file.ends_with(".hpp");
    };
    if (std::any_of(files.begin(), files.end(), is_cpp) && (trees.empty() || trees.back() != tree))
      trees.push_back(tree);
  }
  EXPECT_THAT(trees, ::testing::UnorderedElementsAreArray(kSourceTrees));
}

TEST(Checkout, FindsPathsByTheirEnd) {
  using ::testing::Contains;
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  EXPECT_THAT(paths_ending_with("structure/checkout.hpp"), ElementsAre("tests/structure/checkout.hpp"));
  EXPECT_THAT(paths_ending_with("tests/structure"), ElementsAre("tests/structure"));
  EXPECT_THAT(paths_ending_with("README.md"), Contains("README.md"));
  EXPECT_THAT(paths_ending_with("structure/NAME_test.cpp"), Contains("tests/structure/folders_test.cpp"));
  EXPECT_THAT(paths_ending_with("migrations/version_N_*.cpp"), ::testing::SizeIs(::testing::Gt(10)));
  EXPECT_THAT(paths_ending_with("heckout.hpp"), IsEmpty());
  EXPECT_THAT(paths_ending_with("structure/NAME.py"), IsEmpty());
  EXPECT_THAT(paths_ending_with("checkoutxhpp"), IsEmpty());
}

}  // namespace
}  // namespace mash::testing
