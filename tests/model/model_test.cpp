// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "classifiers/model/model_file.hpp"
#include "framework/base/file.hpp"
#include "framework/base/random.hpp"
#include "framework/base/utf8.hpp"
#include "tests/model/made_models.hpp"

namespace mash {
namespace {

using testing::Damage;
using testing::error_of;
using testing::head_of_stored;
using testing::random_gaussian;
using testing::random_linear;
using testing::random_machines;
using testing::random_model;
using testing::random_neighbours;
using testing::random_tree;
using testing::stored;

RC_GTEST_PROP(ModelFile, ReadsBackWhatItWrote, (std::uint64_t seed)) {
  const StrongClassifier model = random_model(seed);
  const std::string text = serialise(model);
  const auto parsed = parse_model(text);
  RC_ASSERT(parsed.ok());
  RC_ASSERT(*parsed == model);
  RC_ASSERT(serialise(*parsed) == text);
}

ModelHead head_of_stored_table() {
  ModelHead head{{"no", "yes"}, {}, {"x", "colour"}, {{"columns", "columns", "", {}, 2}}};
  head.category_names = {{}, {"blue", "dark \"red\""}};
  head.label_name = "label";
  return head;
}

// The codes of a table are not invented where the file does not have them.
TEST(ModelFile, ATableThatDoesNotKnowItsCategoriesStaysOne) {
  const auto read = parse_model(stored("table_version_4.json"));
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read->head().category_names);
  EXPECT_EQ(*parse_model(serialise(*read)), *read);
}

TEST(ModelFile, ATableKeepsTheFieldsThatStandForNoValue) {
  const auto read = parse_model(stored("table_version_5.json"));
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->head().missing.empty());
  std::string text = serialise(*read);
  const std::string_view columns = "\"columns\"";
  text.insert(text.find(columns), "\"missing\": [\"9999\", \"-\"], ");
  const auto with_missing = parse_model(text);
  ASSERT_TRUE(with_missing.ok()) << with_missing.error().message;
  EXPECT_THAT(with_missing->head().layout().missing, ::testing::ElementsAre("9999", "-"));
  EXPECT_EQ(*parse_model(serialise(*with_missing)), *with_missing);
}

TEST(ModelFile, CategoriesAreOfColumnsAndDiffer) {
  const std::string good = stored("table_version_5.json");
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return parse_model(text);
  };
  for (const auto& [from, to, expected] :
       {std::tuple(R"("column":"colour")", R"("column":"y")",
                   "/categories/0/column: found 'y', expected one of x, colour"),
        std::tuple(R"(["blue",)", R"(["dark \"red\"",)",
                   "/categories/0/names: found 2 names, expected different ones"),
        std::tuple(R"(["blue",)", R"([7,)", "/categories/0/names"),
        std::tuple(R"("categories": [)", R"("categories": [{"column":"colour","names":["a"]},)",
                   "/categories/1/column: found 'colour' a second time"),
        std::tuple(R"(["x","colour"])", R"(["colour","colour"])", "/columns: found 'colour' twice"),
        std::tuple(R"("label": "label")", R"("label": 3)", "/label")}) {
    const auto bad = replaced(from, to);
    ASSERT_FALSE(bad.ok()) << to;
    EXPECT_NE(bad.error().message.find(expected), std::string::npos) << bad.error().message;
  }
}

// A new version adds a file here, and reads those that are there.
TEST(ModelFile, EveryVersionIsReadFromAStoredFile) {
  constexpr float kAlways = -std::numeric_limits<float>::infinity();
  StrongClassifier sum{head_of_stored(), {}, {}};
  sum.hypotheses = {{0.5, {{0, 5, 1.5f}}, {1, -1}, {}},
                    {0.25, {{0, 5, 1.5f}, {1, 6, kAlways}}, {0.5, 2}, {}}};
  StrongClassifier signs = sum;
  signs.hypotheses[1].votes = {-1, 1};
  StrongClassifier probed = sum;
  probed.probe = {1, {{{1.5f, -0.25f, std::numeric_limits<float>::quiet_NaN()}}, std::nullopt}};
  probed.pixel_range = {3, 250};
  StrongClassifier table{head_of_stored_table(), {}, {}};
  table.hypotheses = {{0.5, {{0, 1, 2.5f}}, {1, -1}, {}}};
  StrongClassifier table_of_version_4 = table;
  table_of_version_4.category_names.reset();
  table_of_version_4.label_name.clear();
  const std::pair<const char*, Model> files[] = {{"sum_version_2.json", signs},
                                                 {"sum_version_3.json", sum},
                                                 {"sum_version_4.json", sum},
                                                 {"sum_version_5.json", probed},
                                                 {"table_version_4.json", table_of_version_4},
                                                 {"table_version_5.json", table}};
  for (const auto& [name, expected] : files) {
    const auto parsed = parse_model(stored(name));
    ASSERT_TRUE(parsed.ok()) << name << ": " << parsed.error().message;
    EXPECT_EQ(*parsed, expected) << name;
  }
  EXPECT_EQ(serialise(Model(probed)), stored("sum_version_5.json")) << "equal models give equal bytes";
  EXPECT_EQ(serialise(Model(table)), stored("table_version_5.json"));
}

RC_GTEST_PROP(ModelFile, NeverCrashesOnDamage, (std::uint64_t seed)) {
  std::string text = serialise(seed % 6 == 0   ? Model(random_linear(seed))
                               : seed % 6 == 1 ? Model(random_gaussian(seed))
                               : seed % 6 == 2 ? Model(random_neighbours(seed))
                               : seed % 6 == 3 ? Model(random_machines(seed))
                               : seed % 6 == 4 ? Model(random_tree(seed))
                                               : Model(random_model(seed)));
  RandomStream stream(seed, "test.damage");
  for (int i = 0; i < 3; ++i) text[stream.below(text.size())] = char(stream.below(256));
  if (stream.below(2)) text.resize(stream.below(text.size()));
  const auto parsed = parse_model(text);
  const bool says_what_is_wrong = parsed.ok() || !parsed.error().message.empty();
  RC_ASSERT(says_what_is_wrong);
}

TEST(ModelFile, WritesSignsAsTextAndOtherVotesAsNumbers) {
  StrongClassifier model;
  model.class_names = {"a", "b"};
  model.column_names = {"x"};
  model.families = {{"columns", "columns", "1.0.0", {}, 1}};
  model.hypotheses = {{1, {{0, 0, 2.5f}}, {1, -1}, {}}, {1, {{0, 0, 2.5f}}, {0, 1, 1, 0}, {{-1, -2}}}};
  const std::string text = serialise(model);
  EXPECT_THAT(text, ::testing::HasSubstr("\"votes\":\"+-\""));
  EXPECT_THAT(text, ::testing::HasSubstr("\"votes\":[[0.0,1.0],[1.0,0.0]]"));
}

class DamagedModel : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedModel, IsRefusedByKey) {
  StrongClassifier model = random_model(3);
  const std::size_t num_classes = model.num_classes();
  model.hypotheses = {
      {0.5, {{0, 5, 1.5f}}, std::vector<double>(num_classes, 1), {}},
      {0.25, {{0, 5, 1.5f}, {1, 6, 0.f}}, std::vector<double>(3 * num_classes, 1), {{-1, 1}, {-2, -3}}}};
  model.costs = ModelCosts{"", {{0.5, {4, 5}, {1, 2}}, {0, {6}, {3}}}};
  model.probe = {1, {{{1, 2, 3}}, {{4, 5, 6}}}};
  model.pixel_range = {3, 250};
  model.trained_on = {3, {5, 6, 9}};
  ASSERT_TRUE(parse_model(serialise(model)).ok());
  EXPECT_THAT(error_of(model, GetParam()), ::testing::HasSubstr(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Keys, DamagedModel,
    ::testing::Values(
        Damage{"/format", "", "/format"}, Damage{"/format", "\"xgboost\"", "expected 'mash-model'"},
        Damage{"/version", "1", "/version: found 1, expected 2 to 5"}, Damage{"/version", "-1", "/version"},
        Damage{"/kind", "\"forest\"", "/kind: unknown kind of model 'forest'"}, Damage{"/kind", "", "/kind"},
        Damage{"/classes", "[]", "/classes"}, Damage{"/classes", "[1]", "/classes"},
        Damage{"/classes/1", R"("class \"0\" é")", "/classes: found 'class \"0\" é' twice"},
        Damage{"/probe", "[]", "/probe"}, Damage{"/probe/seed", "-1", "/probe/seed"},
        Damage{"/probe/families", "[[1, 2, 3]]", "expected 2, one for each family"},
        Damage{"/probe/families/1", "[1, 2]", "/probe/families/1: expected 3 numbers or nulls"},
        Damage{"/probe/families/1/0", "1e99", "/probe/families/1"},
        Damage{"/trained_on", "[]", "/trained_on"},
        Damage{"/trained_on/examples", "-1", "/trained_on/examples"},
        Damage{"/trained_on/examples", "2", "found 3, expected no more than examples (2)"},
        Damage{"/trained_on/digests", "[5, 5]", "/trained_on/digests/1: expected whole numbers"},
        Damage{"/trained_on/digests/0", "281474976710656", "/trained_on/digests/0"},
        Damage{"/trained_on/digests/0", "0.5", "/trained_on/digests/0"},
        Damage{"/image/darkest", "256", "/image/darkest"}, Damage{"/image/brightest", "", "/image/brightest"},
        Damage{"/image/brightest", "2", "not below 'darkest'"}, Damage{"/image", "", "/image"},
        Damage{"/image/width", "\"wide\"", "/image/width"},
        Damage{"/image/resize", "\"zoom\"", "/image/resize: found 'zoom', expected stretch, fit or crop"},
        Damage{"/image/resize", "64", "/image/resize"}, Damage{"/families", "[]", "/families"},
        Damage{"/families/0/dim", "", "/families/0/dim"},
        Damage{"/families/1/values", "[\"a\"]", "/families/1/values"},
        Damage{"/hypotheses/1/cuts/0/family", "2", "/hypotheses/1/cuts/0/family"},
        Damage{"/hypotheses/1/cuts/1/feature", "100000", "/hypotheses/1/cuts/1/feature"},
        Damage{"/hypotheses/0/cuts/0/threshold", "\"high\"", "/hypotheses/0/cuts/0/threshold"},
        Damage{"/hypotheses/0/cuts/0/threshold", "1e300", "/hypotheses/0/cuts/0/threshold"},
        Damage{"/hypotheses/0/cuts", "[]", "/hypotheses/0/cuts"},
        Damage{"/hypotheses/0/alpha", "null", "/hypotheses/0/alpha"},
        Damage{"/hypotheses/0/alpha", "1e308", "/hypotheses: found weights (alpha) and votes"},
        Damage{"/hypotheses/1/alpha", "-1e301", "scores reach 1e+301, expected at most 1e+300"},
        Damage{"/hypotheses/0/votes", "[1e308]", "/hypotheses: found weights (alpha) and votes"},
        Damage{"/hypotheses/0/votes", "\"+-?\"", "/hypotheses/0/votes"},
        Damage{"/hypotheses/0/votes", "", "/hypotheses/0/votes"},
        Damage{"/hypotheses/1/votes", "[\"+\"]", "/hypotheses/1/votes"},
        Damage{"/hypotheses/1/votes/2", "3", "/hypotheses/1/votes"},
        Damage{"/hypotheses/1/votes/2", "[1, null, 1]", "/hypotheses/1/votes"},
        Damage{"/hypotheses/0/votes", "[1, 2, 3, 4, 5, 6, 7]", "/hypotheses/0/votes"},
        Damage{"/hypotheses/0/votes", "[0, \"+\", 0]", "/hypotheses/0/votes"},
        Damage{"/hypotheses/1/cuts/0/above", "\"up\"", "/hypotheses/1/cuts/0/above"},
        Damage{"/hypotheses/1/cuts/0/above", "0", "cuts that make one tree"},
        Damage{"/hypotheses/1/cuts/0/above", "2", "cuts that make one tree"},
        Damage{"/hypotheses/1/cuts/1/above", "-1", "cuts that make one tree"},
        Damage{"/hypotheses/1/cuts/1/above", "-4", "cuts that make one tree"},
        Damage{"/hypotheses/1/cuts/1/above", "1", "cuts that make one tree"},
        Damage{"/hypotheses/1/cuts/1/below", "", "/hypotheses/1/cuts/1/below"},
        Damage{"/hypotheses/0", "7", "/hypotheses/0"}, Damage{"/costs", "[]", "/costs: found [], expected"},
        Damage{"/costs/unit", "3", "/costs/unit"},
        Damage{"/costs/unit", "\"hours\"", "/costs/unit: found \"hours\""},
        Damage{"/families/0/dim", "4294967295", "/families/0/dim"},
        Damage{"/costs/families", "[]", "/costs/families"},
        Damage{"/costs/families/0/setup", "-1", "/costs/families/0/setup: found -1"},
        Damage{"/costs/families/0/features", "[5, 4]", "expected numbers below 100 that increase"},
        Damage{"/costs/families/0/features", "[5, 100]", "expected numbers below 100 that increase"},
        Damage{"/costs/families/0/features", "[3, 4]", "all features that the hypotheses ask for"},
        Damage{"/costs/families/0/features", "[4, -5]", "/costs/families/0/features"},
        Damage{"/costs/families/1/costs", "[1, 2]", "expected 1 numbers that are 0 or more"},
        Damage{"/costs/families/1/costs", "[-3]", "expected 1 numbers that are 0 or more"}));

TEST(NeededFeatures, AreThoseThatCutsAskFor) {
  StrongClassifier model = random_model(1);
  constexpr float kAlways = -std::numeric_limits<float>::infinity();
  model.hypotheses = {
      {1, {{0, 9, 0.f}, {0, 2, 0.f}}, {1}, {}}, {1, {{0, 9, 1.f}}, {1}, {}}, {1, {{1, 3, kAlways}}, {1}, {}}};
  EXPECT_EQ(needed_features(model), (std::vector<std::vector<std::uint32_t>>{{2, 9}, {}}));
}

TEST(CellOf, StumpIsOneWhereItsCutHolds) {
  const Hypothesis stump{1, {Cut()}, {1, -1}, {}};
  EXPECT_EQ(cell_of(stump, [](std::size_t) { return true; }), 1u);
  EXPECT_EQ(cell_of(stump, [](std::size_t) { return false; }), 0u);
  EXPECT_THAT(cell_votes(stump), ::testing::ElementsAre(-1, 1, 1, -1));
}

TEST(CellOf, ProductIsOneWhereAnEvenNumberOfCutsDoesNotHold) {
  const Hypothesis product{1, std::vector<Cut>(3), {1}, {}};
  for (unsigned bits = 0; bits < 8; ++bits) {
    int sign = 1;
    for (unsigned i = 0; i < 3; ++i) sign *= bits >> i & 1 ? 1 : -1;
    EXPECT_EQ(cell_of(product, [&](std::size_t i) { return (bits >> i & 1) != 0; }), sign > 0 ? 1u : 0u);
  }
}

TEST(CellOf, TreeFollowsItsBranches) {
  // Cut 0: below leaf 0, above cut 1; cut 1: below leaf 2, above leaf 1.
  const Hypothesis tree{1, std::vector<Cut>(2), {1, -1, 1}, {{-1, 1}, {-3, -2}}};
  const auto leaf = [&](bool first, bool second) {
    return cell_of(tree, [&](std::size_t i) { return i == 0 ? first : second; });
  };
  EXPECT_EQ(leaf(false, false), 0u);
  EXPECT_EQ(leaf(false, true), 0u);
  EXPECT_EQ(leaf(true, false), 2u);
  EXPECT_EQ(leaf(true, true), 1u);
  EXPECT_THAT(cell_votes(tree), ::testing::ElementsAre(1, -1, 1));
}

TEST(ModelFile, TextThatIsNotJsonSaysWhere) {
  const auto parsed = parse_model("{\"format\": \n oops}");
  ASSERT_FALSE(parsed.ok());
  EXPECT_NE(parsed.error().message.find("line 2"), std::string::npos) << parsed.error().message;
}

TEST(ModelFile, ErrorsAreUtf8WhateverTheFileIs) {
  const std::string umlauts = "{\"format\": [" + [] {
    std::string text = "\"";
    for (int i = 0; i < 50; ++i) text += "ü";
    return text + "\"]}";
  }();
  for (const std::string& text : {umlauts, "x" + umlauts, std::string("{\"format\": \"\xe9\"}"),
                                  std::string("[1,2]\xc3\xbc"), std::string("{\"a\":tr\xc3\xbc}")}) {
    const auto parsed = parse_model(text);
    ASSERT_FALSE(parsed.ok());
    EXPECT_TRUE(is_utf8(parsed.error().message)) << text;
  }
}

TEST(ModelFile, ListsInListsAreRefusedBeforeTheyUseUpTheStack) {
  const std::string deep(1'000'000, '[');
  for (const std::string& text : {deep, "{\"format\":" + deep + std::string(deep.size(), ']') + "}"}) {
    const auto parsed = parse_model(text);
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().kind, ErrorKind::kInput);
  }
}

TEST(PredictedClass, IsTheFirstOfTheLargest) {
  EXPECT_EQ(predicted_class(std::array{0.5, 2.0, 2.0}), 1u);
  EXPECT_EQ(predicted_class(std::array{-1.0}), 0u);
}

TEST(Margin, IsHalfTheLeadOverTheSecondInUnitsOfAllVotes) {
  EXPECT_DOUBLE_EQ(margin(std::array{3.0, 1.0, -4.0}, 0, 4), 0.25);
  EXPECT_DOUBLE_EQ(margin(std::array{3.0, 1.0, -4.0}, 2, 4), -0.875);
  EXPECT_DOUBLE_EQ(margin(std::array{2.0}, 0, 4), 0.5);
  EXPECT_DOUBLE_EQ(margin(std::array{0.0, 0.0}, 1, 0), 0) << "a model without votes";
}

}  // namespace
}  // namespace mash
