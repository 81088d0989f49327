// SPDX-License-Identifier: Apache-2.0
// Heuristics that were built outside the tree, with nothing but the installed SDK and a compiler.
#include <array>
#include <cstdio>

#include "tests/extractors/test_image.hpp"
#include "tests/extractors/test_plugins.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::filesystem::path outside(const char* folder) {
  return std::filesystem::path(MASH_TEST_OUTSIDE_DIR) / folder;
}

std::vector<float> features(Catalogue& catalogue, std::string_view id, const TestImage& image) {
  const auto info = catalogue.find(id);
  EXPECT_EQ(message_of(info), "");
  if (!info.ok()) return {};
  const auto instance = catalogue.host().open(**info, *parameter_values(**info, {}));
  EXPECT_EQ(message_of(instance), "");
  std::vector<float> out(*(*instance)->dim({image.abi().width, image.abi().height}));
  EXPECT_EQ(message_of((*instance)->extract(image.abi(), image.whole(), {}, out)), "");
  return out;
}

const TestImage& image() {
  static const TestImage image(3, 3, 1, {1, 2, 6, 10, 10, 10, 0, 255, 0});
  return image;
}

TEST(Outside, TheCMakePackageBuildsPlugins) {
  Catalogue catalogue = scan_folder(outside("cmake"));
  EXPECT_THAT(catalogue.refused(), IsEmpty());
  EXPECT_THAT(features(catalogue, "me/row-means", image()), ElementsAre(3, 10, 85));
  EXPECT_THAT(features(catalogue, "me/box-mean", image()), ElementsAre(::testing::FloatEq(294.0f / 9), 1));
  EXPECT_THAT(features(catalogue, "me/old-style", image()), ElementsAre(0.5f));
}

class ByPkgConfig : public ::testing::TestWithParam<const char*> {};

TEST_P(ByPkgConfig, ACompilerAloneBuildsPlugins) {
  if (!std::filesystem::exists(outside(GetParam()))) GTEST_SKIP() << "there is no " << GetParam();
  Catalogue catalogue = scan_folder(outside(GetParam()));
  EXPECT_THAT(catalogue.refused(), IsEmpty());
  EXPECT_THAT(features(catalogue, "me/row-means", image()), ElementsAre(3, 10, 85));
  EXPECT_THAT(features(catalogue, "outside/box-mean-v3", image()),
              ElementsAre(::testing::FloatEq(294.0f / 9), 1));
  EXPECT_EQ((*catalogue.find("outside/box-mean-v3"))->version, "3.0.0") << "named by its file";
  EXPECT_THAT(features(catalogue, "me/bare-old-style", image()), ElementsAre(0.5f));
}
INSTANTIATE_TEST_SUITE_P(Compilers, ByPkgConfig, ::testing::Values("bare", "clang"),
                         [](const auto& info) { return std::string(info.param); });

TEST(Outside, EachExportsOneSymbol) {
  int num_libraries = 0;
  int num_folders = 0;
  for (const char* folder : {"cmake", "bare", "clang"}) {
    if (!std::filesystem::exists(outside(folder))) continue;
    ++num_folders;
    for (const auto& entry : std::filesystem::directory_iterator(outside(folder))) {
      if (entry.path().extension() != ".so") continue;
      FILE* pipe = ::popen(("nm -D --defined-only '" + entry.path().string() + "' | wc -l").c_str(), "r");
      int num_symbols = 0;
      ASSERT_EQ(std::fscanf(pipe, "%d", &num_symbols), 1);
      ::pclose(pipe);
      EXPECT_EQ(num_symbols, 1) << entry.path();
      ++num_libraries;
    }
  }
  EXPECT_EQ(num_libraries, 3 * num_folders);
}

}  // namespace
}  // namespace mash
