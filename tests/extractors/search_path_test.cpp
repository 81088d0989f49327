// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/search_path.hpp"

#include <cstdlib>

#include "tests/extractors/test_image.hpp"
#include "tests/extractors/test_plugins.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SearchPath : public ::testing::Test {
 protected:
  std::filesystem::path make(const char* below) {
    std::filesystem::create_directories(folder_.path() / below);
    return folder_.path() / below;
  }
  ~SearchPath() override { ::unsetenv("MASH_HEURISTICS"); }
  TemporaryFolder folder_;
};

TEST_F(SearchPath, FindsWhatIsInstalledBesideTheProgram) {
  make("bin");
  EXPECT_THAT(installed_heuristic_folders(folder_.path() / "bin/mash"), IsEmpty());
  const auto plain = make("lib/mash/heuristics"), multiarch = make("lib/x86_64-linux-gnu/mash/heuristics"),
             wide = make("lib64/mash/heuristics");
  make("share/mash/heuristics");
  EXPECT_THAT(installed_heuristic_folders(folder_.path() / "bin/mash"), ElementsAre(plain, multiarch, wide));
}

TEST_F(SearchPath, FindsTheBuildTreesOwn) {
  const auto built = make("heuristics");
  EXPECT_THAT(installed_heuristic_folders(folder_.path() / "bin/mash"), ElementsAre(built));
}

TEST_F(SearchPath, TakesTheUsersFoldersFirstAndEachOnce) {
  const auto a = make("a"), b = make("b"), c = make("c");
  ::setenv("MASH_HEURISTICS", (b.string() + "::" + a.string() + "/../a:" + c.string() + ":").c_str(), 1);
  const auto folders = heuristic_folders(std::vector{a});
  ASSERT_GE(folders.size(), 3u);
  EXPECT_EQ(folders[0], a);
  EXPECT_EQ(folders[1], b);
  EXPECT_EQ(folders[2], c);
}

TEST_F(SearchPath, KeepsFoldersThatTheUserNamedAndAreNotThere) {
  EXPECT_EQ(heuristic_folders(std::vector<std::filesystem::path>{"/nonexistent"})[0], "/nonexistent");
}

TEST_F(SearchPath, ThisProgramFindsTheBuiltHeuristics) {
  const auto folders = heuristic_folders({});
  ASSERT_EQ(folders.size(), 1u);
  EXPECT_TRUE(std::filesystem::equivalent(folders[0],
                                          std::filesystem::path(testing::binary_folder()) / "heuristics"));
}

}  // namespace
}  // namespace mash
