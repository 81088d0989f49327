// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/explanation.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/page.hpp"

namespace mash {
namespace {

using mash::testing::count;
using mash::testing::is_well_formed;
using ::testing::HasSubstr;

// Family a leads with 2, b is against it with 0.5, and 0.25 are constant.
ExplanationReport explanation_report() {
  ExplanationReport report;
  report.model = "model.json";
  report.kind = "sum";
  report.classes = {"cat", "dog & <fox>"};
  report.families = {"a", "b"};
  report.shape = {2, 2, 1};
  ExplainedPicture& picture = report.pictures.emplace_back();
  picture.picture = "x <1>.png";
  picture.pixels = {0, 50, 100, 150};
  picture.margin = 0.125;
  Explanation& explanation = picture.explanation;
  explanation.scores = {1, -0.75};
  explanation.constant = {0.25, 0};
  explanation.families = {{1, -1}, {-0.25, 0.25}};
  explanation.features = {{0, 3, 0.5f, {1.25, -1.25}}, {0, 7, 2, {-0.25, 0.25}}, {1, 0, 1, {-0.25, 0.25}}};
  explanation.predicted = 0;
  explanation.rival = 1;
  explanation.family_change = FamilyChange{0, 2, 9, 1};
  explanation.feature_change = FeatureChange{0, 3, 0.5f, 0.25f, false, 1, 1};
  picture.places = {{{0, 0, 1, 2}, 1.5, 0, 1.25}, {{1, 0, 1, 2}, -0.5, 1, -0.5}};
  return report;
}

TEST(ExplanationReport, SaysWhatVotedWhereAndWhatWouldChangeIt) {
  const std::string text = render_text(explanation_report());
  EXPECT_THAT(text,
              HasSubstr("x <1>.png: cat, margin 0.125; next comes dog & <fox>, which it leads by 1.750\n"));
  EXPECT_THAT(text, ::testing::ContainsRegex("a +1 +-1 +2 +3 \\(\\+2.500\\), 7 \\(−0.500\\)"));
  EXPECT_THAT(text, ::testing::ContainsRegex("\\(none: constant\\) +0.25 +0 +0.25"));
  EXPECT_THAT(text, ::testing::ContainsRegex("all +1 +-0.75 +1.75"));
  EXPECT_THAT(text,
              HasSubstr("covering x 0 to 0, y 0 to 1 takes 1.500 from the lead (through a alone 1.250)\n"));
  EXPECT_THAT(text,
              HasSubstr("covering x 1 to 1, y 0 to 1 adds 0.500 to the lead (through b alone 0.500)\n"));
  EXPECT_THAT(text, HasSubstr("with 2 of the 9 votes of a changed, the answer would be dog & <fox>\n"));
  EXPECT_THAT(text,
              HasSubstr("with feature 3 of a below 0.25 in place of 0.5 (across 1 threshold), the answer "
                        "would be dog & <fox>\n"));
}

TEST(ExplanationReport, TellsNumbersApart) {
  ExplanationReport report = explanation_report();
  report.pictures[0].explanation.feature_change = FeatureChange{0, 3, 1.08934f, 1.08931f, false, 1, 1};
  EXPECT_THAT(render_text(report), HasSubstr("below 1.08931 in place of 1.08934 (across"));
}

TEST(ExplanationReport, SaysThatNothingAloneWouldChangeIt) {
  ExplanationReport report = explanation_report();
  report.pictures[0].explanation.family_change.reset();
  report.pictures[0].explanation.feature_change.reset();
  EXPECT_THAT(render_text(report), HasSubstr("no family could change the answer alone\n"
                                             "no single feature could change the answer\n"));
  report.kind = "linear";
  EXPECT_THAT(render_text(report), ::testing::Not(HasSubstr("no family")))
      << "a linear model has no votes to turn";
}

TEST(ExplanationReport, ForProgramsAddsUp) {
  const nlohmann::ordered_json json = to_json(explanation_report());
  const auto& picture = json["pictures"][0];
  EXPECT_EQ(picture["class"], "cat");
  EXPECT_EQ(picture["lead"], 1.75);
  ASSERT_EQ(picture["families"].size(), 2u);
  for (const std::size_t l : {0u, 1u}) {
    double sum = picture["constant"][l].get<double>();
    for (const auto& family : picture["families"]) sum += family["votes"][l].get<double>();
    EXPECT_DOUBLE_EQ(sum, picture["scores"][l].get<double>());
  }
  EXPECT_EQ(picture["families"][0]["features"][0]["feature"], 3);
  EXPECT_EQ(picture["places"][0]["family"], "a");
  EXPECT_EQ(picture["changes"]["family"]["changed"], 2);
  EXPECT_EQ(picture["changes"]["feature"]["bound"], 0.25);
}

TEST(ExplanationPage, MarksThePlaces) {
  const auto page = explanation_page(explanation_report(), "1.2.3");
  ASSERT_TRUE(page.ok());
  const std::string& html = page->html.markup;
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_EQ(count(html, "<image "), 1u);
  EXPECT_EQ(count(html, "class=\"speaks-for\""), 1u);
  EXPECT_EQ(count(html, "class=\"speaks-against\""), 1u);
  EXPECT_THAT(html, HasSubstr("x &lt;1&gt;.png"));
  EXPECT_THAT(page->markdown, HasSubstr("covering x 0 to 0, y 0 to 1 takes 1.500 from the lead"));
}

}  // namespace
}  // namespace mash
