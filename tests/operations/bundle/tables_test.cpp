// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/bundle/tables.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

using ::testing::HasSubstr;

TEST(Tables, WriteTextsAsCppReadsThem) {
  EXPECT_EQ(as_literal("caf\xc3\xa9"), "\"caf\xc3\xa9\"");
  EXPECT_EQ(as_literal("a\"b\\c\n1?"), "\"a\\042b\\134c\\0121\\077\"");
}

TEST(Tables, HaveTheFeaturesThatAreUsedAlone) {
  StrongClassifier model;
  model.class_names = {"a", "b"};
  model.shape = {8, 8, 1, 1, ResizeMode::kCrop};
  model.families = {
      {"lbp", "lbp", "1.0.0", {1}, 900}, {"hog", "hog", "1.0.0", {}, 50}, {"haar", "haar", "1", {}, 64}};
  model.hypotheses = {{0.5, {{2, 7, 0.25f}}, {1, -2}, {}},
                      {2, {{0, 3, 1}, {2, 5, -1}}, {1, 1, 1, 1, 1, 1}, {{1, -1}, {-2, -3}}}};
  const std::vector<std::string> access{"first", "", "third"};
  const std::string common = common_tables(model, access);
  EXPECT_THAT(common, HasSubstr("kScaled = mash::cropped;"));
  EXPECT_THAT(common, HasSubstr("constexpr std::size_t kNumValues = 3;"));
  EXPECT_THAT(common, HasSubstr("kFeatures2[] = {\n    5, 7,\n};"));
  EXPECT_THAT(common,
              HasSubstr("{\"lbp\", []() -> const mash_heuristic_t* { return first; }, kParameters0, 1, "
                        "kFeatures0, 1, 0, 900}"));
  EXPECT_THAT(common, HasSubstr("return third; }, kParameters2, 0, kFeatures2, 2, 1, 64}"));
  EXPECT_THAT(common, ::testing::Not(HasSubstr("hog")));
  const std::string sum = tables_of_kind(model);
  EXPECT_THAT(sum, HasSubstr("kCuts[] = {\n    {2, 0x1p-2f}, {0, 0x1p+0f}, {1, -0x1p+0f},\n};"));
  EXPECT_THAT(sum, HasSubstr("kHypotheses[] = {\n    {0, 1, 0, 0, false}, {1, 2, 0, 2, true},\n};"));
  EXPECT_THAT(sum, HasSubstr("kGains[] = {\n    0x1p-1, -0x1p+0, 0x1p+1,"));
}

TEST(Tables, OfPlansSayWhereEachFeatureComesFrom) {
  StrongClassifier planned;
  planned.class_names = {"a", "b"};
  planned.families = {{"lbp", "lbp", "1", {}, 9}, {"hog", "hog", "1", {}, 9}};
  planned.hypotheses = {{1, {{1, 4, 0}}, {1, -1}, {}}, {1, {{1, 2, 0}}, {1, -1}, {}}};
  BudgetPlan plan;
  plan.stretches = {{0, 1, 3, false}, {1, 2, 5, true}};
  const std::string text = plan_tables(planned, plan, 0.5);
  EXPECT_THAT(text, HasSubstr("kValues[] = {\n    {0, 2}, {0, 4},\n};"));
  EXPECT_THAT(text, HasSubstr("kStretches[] = {\n    {1, false}, {2, true},\n};"));
  EXPECT_THAT(text, HasSubstr("kRounding = 0x1p-1;"));
}

}  // namespace
}  // namespace mash
