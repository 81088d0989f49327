// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/structure/checkout.hpp"
#include "tests/structure/cpp_text.hpp"
#include "tests/structure/source_tree.hpp"

namespace mash::testing {
namespace {

// Files of libraries that comments name.
const std::set<std::string> kOfLibraries{"foreach_target.h"};

// The C and C++ files that a comment names. What stands in quotes is an example: "edges.cpp:12".
std::vector<std::string> files_named(std::string_view comment) {
  const std::string text = std::regex_replace(std::string(comment), std::regex("\"[^\"\n]*\""), "\"\"");
  const std::regex name("[A-Za-z0-9_*/.-]*[A-Za-z0-9_*]\\.(cpp|hpp|h)\\b");
  std::vector<std::string> names;
  for (std::sregex_iterator found(text.begin(), text.end(), name), end; found != end; ++found)
    names.push_back(found->str());
  return names;
}

// What is wrong with the name of a file in a comment of the folder; "" where nothing is. A name without its
// folder is that of a file beside it, or of the only one in the tree.
std::string wrong_with(const std::string& name, const std::string& folder) {
  const auto found = paths_ending_with(name);
  if (found.empty()) return "there is no such file";
  const bool is_beside = std::find(found.begin(), found.end(), folder + "/" + name) != found.end();
  const bool is_pattern =
      std::filesystem::path(found[0]).filename() != std::filesystem::path(name).filename();
  if (name.find('/') != std::string::npos || is_beside || is_pattern || found.size() == 1) return "";
  return "there are several: " + found[0] + ", " + found[1];
}

// The comments of a CMake file, each a line that is nothing else.
std::vector<std::string> cmake_comments(const std::filesystem::path& file) {
  std::vector<std::string> comments;
  for (const std::string& line : lines_of(file))
    if (std::regex_search(line, std::regex("^\\s*#"))) comments.push_back(line);
  return comments;
}

TEST(Comments, NameFilesThatAreThere) {
  std::set<std::string> outside;
  std::size_t num_names = 0;
  const auto look = [&](const std::string& file, std::string_view comment, std::size_t line) {
    for (const std::string& name : files_named(comment)) {
      ++num_names;
      if (kOfLibraries.contains(name)) {
        outside.insert(name);
        continue;
      }
      const std::string wrong = wrong_with(name, std::filesystem::path(file).parent_path().string());
      EXPECT_EQ(wrong, "") << file << ":" << line << " names " << name;
    }
  };
  for (const auto& path : sources(kSourceTrees)) {
    const std::string text = text_of(path);
    for (const Comment& comment : comments_of(text)) look(name_in_tree(path), comment.text, comment.line);
  }
  for (const auto& [folder, files] : files_by_folder())
    for (const std::string& file : files)
      if (file == "CMakeLists.txt" || file.ends_with(".cmake"))
        for (const std::string& comment : cmake_comments(kSource / folder / file))
          look((std::filesystem::path(folder) / file).string(), comment, 0);
  EXPECT_EQ(outside, kOfLibraries) << "a file that no comment names any longer";
  EXPECT_GT(num_names, 40u) << "the test looks for the wrong words";
}

TEST(Comments, FilesInThemAreFound) {
  using ::testing::ElementsAre;
  EXPECT_THAT(files_named("// As a.hpp and base/b_c.cpp say; c.h. Not \"edges.cpp:12\", .hpp or d.hpps."),
              ElementsAre("a.hpp", "base/b_c.cpp", "c.h"));
  EXPECT_EQ(wrong_with("checkout.hpp", "tests/structure"), "");
  EXPECT_EQ(wrong_with("checkout.hpp", "framework/base"), "");
  EXPECT_EQ(wrong_with("structure/NAME.hpp", "framework/base"), "");
  EXPECT_EQ(wrong_with("no_such.hpp", "framework/base"), "there is no such file");
  EXPECT_EQ(wrong_with("operations/base/no_such.hpp", "framework/base"), "there is no such file");
  EXPECT_EQ(wrong_with("builtin.hpp", "classifiers"), "");
  EXPECT_EQ(wrong_with("builtin.hpp", "framework/base"),
            "there are several: classifiers/builtin.hpp, tests/heuristics/builtin.hpp");
}

}  // namespace
}  // namespace mash::testing
