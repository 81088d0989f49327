// SPDX-License-Identifier: Apache-2.0
// docs/code-map.md names every folder of the sources; it and CONTRIBUTING.md name nothing that is not there.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/structure/checkout.hpp"
#include "tests/structure/source_tree.hpp"

namespace mash::testing {
namespace {

// The trees whose folders the map names, beside those of sources.
const std::vector<std::string> kOtherTrees{"script", "experiments", "docs", ".ci"};

bool is_path(const std::string& text) {
  const bool has_folders = text.find('/') != std::string::npos && text[0] != '/';
  const bool is_tree = std::find(kSourceTrees.begin(), kSourceTrees.end(), text) != kSourceTrees.end() ||
                       std::find(kOtherTrees.begin(), kOtherTrees.end(), text) != kOtherTrees.end();
  return is_tree || (has_folders && text.find(' ') == std::string::npos);
}

// The files and folders that a document names in code, from the root on; not what a build makes.
std::vector<std::string> paths_named(const std::string& text) {
  const std::regex code("`([^`\n]+)`");
  std::vector<std::string> names;
  for (std::sregex_iterator found(text.begin(), text.end(), code), end; found != end; ++found)
    if (is_path((*found)[1]) && !(*found)[1].str().starts_with("build/")) names.push_back((*found)[1]);
  return names;
}

// The paths of the checkout that a name stands for: "heuristics/NAME" for the folder of every heuristic.
std::vector<std::string> paths_of(const std::string& name) {
  if (name[0] == '.')  // the checkout leaves out what is hidden
    return std::filesystem::exists(kSource / name) ? std::vector{name} : std::vector<std::string>{};
  const auto depth = [](const std::string& path) { return std::count(path.begin(), path.end(), '/'); };
  std::vector<std::string> paths = paths_ending_with(name);
  std::erase_if(paths, [&](const std::string& path) { return depth(path) != depth(name); });
  return paths;
}

// The folder that must be in the map for this one. What is deeper in the tests is said by the folder above;
// "" for tests of a folder of the same name, which need no line.
std::string folder_to_name(const std::string& folder) {
  if (!folder.starts_with("tests/")) return folder;
  const std::string name = folder.substr(6, folder.find('/', 6) - 6);
  for (const std::string& path : paths_ending_with(name)) {
    const std::string tree = path.substr(0, path.find('/'));
    const bool is_source = std::find(kSourceTrees.begin(), kSourceTrees.end(), tree) != kSourceTrees.end();
    if (is_source && tree != "tests") return "";
  }
  return "tests/" + name;
}

TEST(CodeMap, NamesOnlyWhatIsThere) {
  for (const auto& [document, least] :
       std::map<std::string, std::size_t>{{"docs/code-map.md", 100}, {"CONTRIBUTING.md", 60}}) {
    const auto names = paths_named(text_of(kSource / document));
    EXPECT_GT(names.size(), least) << "the test looks for the wrong words";
    for (const std::string& name : names)
      EXPECT_FALSE(paths_of(name).empty()) << document << ": there is no " << name;
  }
}

TEST(CodeMap, NamesEveryFolder) {
  std::set<std::string> named;
  for (const std::string& name : paths_named(text_of(kSource / "docs/code-map.md")))
    for (const std::string& path : paths_of(name)) named.insert(path);
  std::vector<std::string> trees = kSourceTrees;
  trees.insert(trees.end(), {"script", "experiments"});
  std::size_t num_folders = 0;
  for (const auto& [folder, files] : files_by_folder()) {
    const std::string tree = folder.substr(0, folder.find('/'));
    const std::string needed = folder_to_name(folder);
    // The trees that only have a list for CMake beside their folders are named by these.
    if (std::find(trees.begin(), trees.end(), tree) == trees.end() || folder == tree || needed.empty())
      continue;
    ++num_folders;
    EXPECT_TRUE(named.contains(needed)) << "docs/code-map.md has no line for " << needed;
  }
  EXPECT_GT(num_folders, 100u) << "the test looks in the wrong place";
}

TEST(CodeMap, PathsInItAreFound) {
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  EXPECT_THAT(
      paths_named("`a/b` and `mash store`, `/api/v1`, `sdk`, `rows.cpp`, c/d, `e/NAME.cpp`, `build/x`"),
      ElementsAre("a/b", "sdk", "e/NAME.cpp"));
  EXPECT_THAT(paths_of("tests/structure"), ElementsAre("tests/structure"));
  EXPECT_THAT(paths_of("structure/checkout.hpp"), IsEmpty()) << "not from the root on";
  EXPECT_THAT(paths_of("heuristics/NAME"), ::testing::Contains("heuristics/hog"));
  EXPECT_EQ(folder_to_name("classifiers/scan"), "classifiers/scan");
  EXPECT_EQ(folder_to_name("tests/scan"), "");
  EXPECT_EQ(folder_to_name("tests/fuzz"), "tests/fuzz");
  EXPECT_EQ(folder_to_name("tests/hostile/plugins"), "tests/hostile");
}

}  // namespace
}  // namespace mash::testing
