// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "builtin.hpp"
#include "framework/dataset/generators/digits.hpp"
#include "framework/families/image_planes.hpp"
#include "tests/support/places.hpp"
#include "tests/support/program.hpp"

namespace mash {
namespace {

TEST(Templates, EachGivesAPluginWhoseHeuristicIsOfTheProject) {
  EXPECT_THAT(builtin().refused(), ::testing::IsEmpty());
  EXPECT_EQ(builtin().heuristics().size(), std::size_t(MASH_NUM_TEMPLATES));
  for (const HeuristicInfo& info : builtin().heuristics()) {
    EXPECT_EQ(info.id, info.plugin.stem().string());
    EXPECT_EQ(info.author, "Ada \"Countess\" \\ Lovelace");
    EXPECT_EQ(info.license, "Apache-2.0");
  }
}

TEST(Templates, TellsDigitsApart) {
  DigitsSettings digits;
  ImagePlanes planes(digits.shape);
  std::vector<std::uint8_t> pixels(digits.shape.num_bytes());
  for (const HeuristicInfo& info : builtin().heuristics()) {
    SCOPED_TRACE(info.id);
    Builtin heuristic(info, *values_of(info, {}));
    std::set<std::vector<float>> pictures;
    std::set<float> values;
    for (std::size_t example = 0; example < 20; ++example) {
      render_digit(digits, DigitsSide::kTrain, 1, example, pixels);
      std::vector<float> features(heuristic.dim({28, 28}));
      ASSERT_TRUE(heuristic.instance().extract(planes.show(pixels), planes.view(), {}, features));
      for (const float value : features) ASSERT_TRUE(std::isfinite(value));
      values.insert(features.begin(), features.end());
      pictures.insert(features);
    }
    EXPECT_EQ(pictures.size(), 20u) << "every picture has features of its own";
    EXPECT_GT(values.size(), 20u);
  }
}

TEST(Templates, TheReadmeShowsTheBlankOne) {
  const std::string readme = testing::file_content(testing::source_folder() + "/README.md");
  const std::string fence = "```cpp\n";
  const auto begin = readme.find(fence) + fence.size();
  EXPECT_THAT(testing::file_content(testing::source_folder() + "/sdk/template/blank/row_means.cpp"),
              ::testing::HasSubstr(readme.substr(begin, readme.find("```", begin) - begin)));
}

}  // namespace
}  // namespace mash
