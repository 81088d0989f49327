// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/heuristic_settings.hpp"

#include <gmock/gmock.h>

#include "framework/operations/experiment/families.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string message(const auto& result) { return result.ok() ? "" : result.error().message; }

std::vector<std::string> variants(std::vector<std::string> texts) {
  const auto parsed = parse_variants({std::move(texts), "--setting"});
  if (!parsed.ok()) return {parsed.error().message};
  std::vector<std::string> given;
  for (const Settings& settings : *parsed) given.push_back(describe_given(settings));
  return given;
}

TEST(HeuristicSettings, AreReadAsInAFile) {
  const auto settings = parse_heuristic_settings({{"cell=4", "norm='l2'", "clip=0.2"}, "--setting"});
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  EXPECT_EQ(describe_given(*settings), "cell=4, norm=l2, clip=0.2");
  EXPECT_EQ(settings->where("cell"), "--setting cell=4");
  EXPECT_TRUE(parse_heuristic_settings({{}, "--setting"})->entries().empty());
}

TEST(HeuristicSettings, OfAFileAndOfAnOptionAreTheSame) {
  for (const char* value :
       {"4", "0.5", "l2", "'l2'", "\"a b\"", "[1, 2]", "{a: 1}", "~", "", "\"", "a: b", "#a"}) {
    const auto file = parse_experiment(
        fmt::format("dataset: digits\nheuristics:\n  - id: hog\n    cell: {}\n", value), "e.yaml", {});
    const auto option = parse_heuristic_settings({{fmt::format("cell={}", value)}, "--setting"});
    const bool is_list = value[0] == '[';  // a list is several families there, and is for tune here
    ASSERT_EQ(option.ok(), file.ok() && !is_list) << value;
    if (!option.ok()) continue;
    EXPECT_EQ(option->peek("cell"), file->heuristics[0].settings.peek("cell")) << value;
  }
}

TEST(HeuristicSettings, SayWhatIsWrong) {
  const auto said = [](std::vector<std::string> texts) {
    return message(parse_heuristic_settings({std::move(texts), "--setting"}));
  };
  EXPECT_EQ(said({"cell"}), "--setting cell: expected key=value, such as levels=8");
  EXPECT_EQ(said({"cell=4", "cell=6"}), "--setting cell=6: the setting 'cell' is given twice");
  EXPECT_EQ(said({"cell="}), "--setting cell=: found nothing, expected a value");
  EXPECT_EQ(said({"cell={a: 1}"}), "--setting cell={a: 1}: found a mapping, expected a value");
  EXPECT_THAT(said({"cell=[4, 6]"}), HasSubstr("found a list, expected one value; mash heuristic tune"));
}

TEST(Variants, AreAllCombinations) {
  EXPECT_THAT(variants({"levels=2,4", "grid=2..4"}),
              ElementsAre("levels=2, grid=2", "levels=2, grid=3", "levels=2, grid=4", "levels=4, grid=2",
                          "levels=4, grid=3", "levels=4, grid=4"));
  EXPECT_THAT(variants({"norm=[l1, l2]", "clip=0.2"}), ElementsAre("norm=l1, clip=0.2", "norm=l2, clip=0.2"));
  EXPECT_THAT(variants({"grid=-1..1, 8"}), ElementsAre("grid=-1", "grid=0", "grid=1", "grid=8"));
  EXPECT_THAT(variants({"name=a..b,c"}), ElementsAre("name=a..b", "name=c")) << "no range of numbers";
}

TEST(Variants, SayWhatIsWrong) {
  EXPECT_THAT(variants({}), ElementsAre(HasSubstr("found one variant, expected values to compare")));
  EXPECT_THAT(variants({"levels=2"}), ElementsAre(HasSubstr("found one variant")));
  EXPECT_THAT(
      variants({"cut=0.3..0.7"}),
      ElementsAre(HasSubstr("found the range '0.3..0.7', but ranges are for whole numbers; expected a "
                            "list, such as 0.3,0.7")));
  EXPECT_THAT(variants({"levels=2.."}), ElementsAre(HasSubstr("found the range '2..' without its end")));
  EXPECT_THAT(
      variants({"levels=..4"}),
      ElementsAre(HasSubstr("found the range '..4' without its beginning, expected one such as 2..4")));
  EXPECT_THAT(
      variants({"levels=4..2"}),
      ElementsAre("--setting levels=4..2: found the range '4..2', expected the smaller number first"));
  EXPECT_THAT(variants({"levels=1..1000000000"}), ElementsAre(HasSubstr("has more than 100 values")));
  EXPECT_THAT(variants({"levels=-9223372036854775808..9223372036854775807"}),
              ElementsAre(HasSubstr("has more than 100 values")));
  EXPECT_THAT(variants({"levels=2,3,2"}), ElementsAre("--setting levels=2,3,2: '2' is given twice"));
  EXPECT_THAT(variants({"levels=1..3,2"}), ElementsAre("--setting levels=1..3,2: '2' is given twice"));
  EXPECT_THAT(variants({"levels=2,,3"}),
              ElementsAre("--setting levels=2,,3: found an empty value, expected one"));
  EXPECT_THAT(variants({"levels=[]"}),
              ElementsAre("--setting levels=[]: found an empty list, expected values"));
  EXPECT_THAT(variants({"levels=[[1]]"}), ElementsAre(HasSubstr("found a list in the list")));
  EXPECT_THAT(variants({"a=1..20", "b=1..20"}),
              ElementsAre("--setting b=1..20: the values give more than 100 variants"));
}

HeuristicInfo with_cell(std::string id) {
  HeuristicInfo info;
  info.id = std::move(id);
  ParameterInfo cell;
  cell.id = "cell";
  cell.default_value = 6;
  cell.minimum = 1;
  cell.maximum = 64;
  info.parameters.push_back(std::move(cell));
  return info;
}

FamilySpec family(const HeuristicInfo& info, double cell) {
  return {info.id, info, {cell}, fmt::format("cell={:g}", cell), true};
}

TEST(WithVariants, PutsThemInThePlaceOfTheHeuristicsOwn) {
  const HeuristicInfo hog = with_cell("hog"), lbp = with_cell("lbp");
  const auto variants = *parse_variants({{"cell=4,8"}, "--setting"});
  const auto specs = with_variants({family(hog, 6), family(lbp, 6), family(hog, 7)}, hog, variants, 1);
  ASSERT_TRUE(specs.ok()) << specs.error().message;
  std::vector<std::string> names;
  for (const FamilySpec& spec : *specs) names.push_back(spec.name);
  EXPECT_THAT(names, ElementsAre("lbp", "hog(cell=4)", "hog(cell=8)"));
  EXPECT_THAT((*specs)[2].values, ElementsAre(8));
  EXPECT_EQ((*specs)[2].settings, "cell=8");
}

TEST(WithVariants, SaysWhatIsWrong) {
  const HeuristicInfo hog = with_cell("hog");
  const auto said = [&](std::vector<std::string> texts) {
    return message(with_variants({}, hog, *parse_variants({std::move(texts), "--setting"}), 1));
  };
  EXPECT_THAT(said({"levels=2,4"}),
              HasSubstr("--setting levels=2,4: heuristic hog: unknown key 'levels'; known: cell"));
  EXPECT_THAT(said({"cell=4,65"}), HasSubstr("found '65', expected a whole number from 1 to 64"));
  EXPECT_EQ(said({"cell=4,04"}), "heuristic hog: two variants are the same (cell=4)");
}

}  // namespace
}  // namespace mash
