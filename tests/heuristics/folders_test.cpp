// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <fstream>

#include "builtin.hpp"

namespace mash {
namespace {

TEST(HeuristicFolders, EveryFolderGivesAPluginOfItsNameAndAReadme) {
  EXPECT_THAT(builtin().refused(), testing::IsEmpty());
  const std::filesystem::path root = std::filesystem::path(MASH_SOURCE_DIR) / "heuristics";
  int num_folders = 0;
  for (const auto& folder : std::filesystem::directory_iterator(root)) {
    if (!std::filesystem::exists(folder.path() / "heuristic.cpp")) continue;
    ++num_folders;
    SCOPED_TRACE(folder.path());
    const auto info = builtin().find(folder.path().filename().string());
    EXPECT_TRUE(info) << info.error().message;
    std::ifstream readme(folder.path() / "README.md");
    int num_lines = 0;
    for (std::string line; std::getline(readme, line);) ++num_lines;
    EXPECT_GT(num_lines, 3);
    EXPECT_LE(num_lines, 25);
  }
  EXPECT_GE(num_folders, 26);
}

}  // namespace
}  // namespace mash
