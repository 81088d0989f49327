// SPDX-License-Identifier: Apache-2.0
#include "classifiers/budget/costs_file.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

class CostsFile : public ::testing::Test {
 protected:
  Result<FeatureCosts> read(const std::string& text) {
    std::ofstream(folder / "costs.csv") << text;
    return read_costs(folder / "costs.csv", families);
  }
  std::string error(const std::string& text) {
    const auto costs = read(text);
    return costs.ok() ? "no error" : costs.error().message;
  }
  testing::ScratchFolder folder;
  std::vector<FamilySize> families{{"hog", 3}, {"lbp(radius=1,points=8)", 2}};
};

TEST_F(CostsFile, HasCostsOfFeaturesAndOfWhatTheyShare) {
  const auto costs = read(
      "family,feature,cost\nhog,setup,12.5\nhog,*,0.25\nhog,1,4\n\"lbp(radius=1,points=8)\",0,1\n"
      "\"lbp(radius=1,points=8)\",1,2\nother,nonsense,3\n");
  ASSERT_TRUE(costs.ok()) << costs.error().message;
  EXPECT_EQ(costs->setup(0), 12.5);
  EXPECT_EQ(costs->setup(1), 0);
  const std::vector<double> expected{0.25, 4, 0.25, 1, 2};
  for (std::uint32_t f = 0; f < 5; ++f) EXPECT_EQ(costs->feature(f), expected[f]) << f;
}

TEST_F(CostsFile, IsWhatItIsWrittenAs) {
  const std::vector<FamilyCosts> written{{"hog", {1, 2, 1.5}, 0.1}, {"lbp(radius=1,points=8)", {3, 3}, 0}};
  const auto costs = read(costs_table(written));
  ASSERT_TRUE(costs.ok()) << costs.error().message;
  EXPECT_EQ(costs->feature(1), 2);
  EXPECT_EQ(costs->feature(2), 1.5);
  EXPECT_EQ(costs->feature(4), 3);
  EXPECT_EQ(costs->setup(0), 0.1);
  EXPECT_THAT(costs_table(written), HasSubstr("\"lbp(radius=1,points=8)\",*,3\n"))
      << "one line for equal costs";
}

TEST_F(CostsFile, SaysItsUnit) {
  const auto plain = read("family,feature,cost\nhog,*,1\n\"lbp(radius=1,points=8)\",*,1\n");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->unit(), "");
  const auto measured = read(
      costs_table(std::vector<FamilyCosts>{{"hog", {1, 2, 1.5}, 0.1}, {"lbp(radius=1,points=8)", {3, 3}, 0}},
                  kMicroseconds));
  ASSERT_TRUE(measured.ok()) << measured.error().message;
  EXPECT_EQ(measured->unit(), "microseconds");
  EXPECT_THAT(error("family,feature,hours\nhog,*,1\n"),
              HasSubstr("costs.csv:1: column cost: found 'hours', expected cost or microseconds"));
}

TEST_F(CostsFile, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(error("hog,*,1\nhog,3,1\n"), HasSubstr("costs.csv:2: column feature"));
  EXPECT_THAT(error("hog,*,1\nhog,3,1\n"), HasSubstr("found feature '3', expected a number below 3"));
  EXPECT_THAT(error("hog,*,-1\n"),
              HasSubstr("costs.csv:1: column cost: found '-1', expected a number that is 0 or more"));
  EXPECT_THAT(error("hog,*,nan\n"), HasSubstr("found 'nan'"));
  EXPECT_THAT(error("hog,*,1\nhog,*,2\n"), HasSubstr("found a second line '*' of this family"));
  EXPECT_THAT(error("hog,1,1\nhog,1,2\n"), HasSubstr("found a second line of feature 1"));
  EXPECT_THAT(error("hog,1,1\n"), HasSubstr("found no cost of feature 0 of family 'hog'"));
  EXPECT_THAT(error("hog,*\n"), HasSubstr("costs.csv:1"));
  EXPECT_FALSE(read_costs(folder / "nowhere.csv", families).ok());
}

// Before anything is computed nobody knows how many features there are.
TEST_F(CostsFile, IsCheckedByTheNamesOfFamilies) {
  const std::vector<std::string> names{"hog", "lbp"}, required{"hog"};
  const auto problem = [&](const std::string& text) {
    std::ofstream(folder / "costs.csv") << text;
    const Status checked = check_costs(folder / "costs.csv", names, required);
    return checked.ok() ? "" : checked.error().message;
  };
  EXPECT_EQ(problem("family,feature,cost\nhog,70000,1\nother,nonsense,-1\n"), "");
  EXPECT_THAT(problem("family,feature,hours\nhog,*,1\n"), HasSubstr("found 'hours', expected cost or"));
  EXPECT_THAT(problem("hog,*,1\nlbp,*,-1\n"), HasSubstr("costs.csv:2: column cost: found '-1'"));
  EXPECT_THAT(problem("lbp,*,1\n"), HasSubstr("costs.csv: found no costs of family 'hog'"));
  EXPECT_THAT(problem("hog,all,1\n"), HasSubstr("found feature 'all', expected a number, '*' or 'setup'"));
}

}  // namespace
}  // namespace mash
