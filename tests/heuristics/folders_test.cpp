// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>

#include "builtin.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

TEST(HeuristicFolders, EveryFolderGivesAPluginOfItsNameAndAReadme) {
  for (const RefusedPlugin& plugin : builtin().refused())
    ADD_FAILURE() << plugin.file << ": " << plugin.reason;
  const std::filesystem::path root = std::filesystem::path(testing::source_folder()) / "heuristics";
  int num_folders = 0;
  for (const auto& folder : std::filesystem::directory_iterator(root)) {
    if (!std::filesystem::exists(folder.path() / "heuristic.cpp")) continue;
    ++num_folders;
    SCOPED_TRACE(folder.path());
    const auto info = builtin().find(folder.path().filename().string());
    EXPECT_TRUE(info) << info.error().message;
    std::ifstream readme(folder.path() / "README.md");
    int num_lines = 0;
    std::string text;
    for (std::string line; std::getline(readme, line); text += line + '\n') ++num_lines;
    EXPECT_LE(num_lines, 25);
    for (const char* part : {"Formula", "Dim", "Cost", "Settings", "Paper"})
      EXPECT_TRUE(text.find("\n- **" + std::string(part) + "** ") != std::string::npos)
          << "README.md has no line \"- **" << part << "** ...\"";
    for (const ParameterInfo& parameter : info ? (*info)->parameters : std::vector<ParameterInfo>())
      EXPECT_TRUE(text.find("`" + parameter.id + "`") != std::string::npos)
          << "README.md does not name the setting `" << parameter.id << "`";
  }
  EXPECT_GE(num_folders, 26);
}

// A plugin of a folder that is gone would be tested, and used, for ever.
TEST(HeuristicFolders, EveryPluginIsOfAFolder) {
  for (const auto& plugin : std::filesystem::directory_iterator(MASH_TESTED_HEURISTICS)) {
    const auto folder = std::filesystem::path(testing::source_folder()) / "heuristics" / plugin.path().stem();
    EXPECT_TRUE(plugin.path().extension() != ".so" || std::filesystem::exists(folder / "heuristic.cpp"))
        << folder << " has no heuristic.cpp: remove " << plugin.path();
  }
}

}  // namespace
}  // namespace mash
