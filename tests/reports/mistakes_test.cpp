// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/mistakes.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/records/sample.hpp"
#include "tests/support/page.hpp"

namespace mash {
namespace {

using mash::testing::count;
using mash::testing::is_well_formed;
using ::testing::HasSubstr;
using ::testing::Not;

// Two of six are wrong: the first is like examples 3 and 1, of the other nothing is known.
MistakeReport mistake_report() {
  MistakeReport report;
  report.classifier = "run 3 (demo)";
  report.dataset = "toy";
  report.classes = {"zero", "one", "two & <more>"};
  report.num_examples = 6;
  report.names = {"a.png", "b.png", "c.png", "d.png", "e.png", "f, g.png"};
  report.mistakes = {{0, "zero", "one", -0.5, {1, 2.5, 0}, 3, 1},
                     {5, "two & <more>", "zero", -0.25, {2, 0, 1}, std::nullopt, std::nullopt}};
  return report;
}

TEST(MistakeReport, NamesWhatIsWrongAndWhatIsLikeIt) {
  const std::string text = render_text(mistake_report(), 20);
  EXPECT_THAT(
      text,
      HasSubstr(
          "run 3 (demo) on toy: 2 of 6 wrong: 33.3 %, 95 % interval 4.3 to 77.7 % (Clopper–Pearson)\n"));
  EXPECT_THAT(text, ::testing::ContainsRegex("a.png +zero +one +-?0.5 +d.png +b.png"));
  EXPECT_THAT(text, HasSubstr("f, g.png"));
  EXPECT_THAT(render_text(mistake_report(), 1), HasSubstr("... and 1 more: --csv FILE lists all\n"));
  EXPECT_THAT(render_text(mistake_report(), 1), Not(HasSubstr("f, g.png")));
}

TEST(MistakeReport, WithoutNamesExamplesGoByNumber) {
  MistakeReport report = mistake_report();
  report.names.clear();
  EXPECT_EQ(report.name_of(5), "example 5");
  EXPECT_THAT(render_text(report, 20), HasSubstr("example 3"));
}

TEST(MistakeReport, OfNoMistakeIsALine) {
  MistakeReport report = mistake_report();
  report.mistakes.clear();
  EXPECT_EQ(render_text(report, 20),
            "run 3 (demo) on toy: 0 of 6 wrong: 0.0 %, 95 % interval 0.0 to 45.9 % (Clopper–Pearson)\n");
}

TEST(MistakeReport, ForPrograms) {
  const nlohmann::ordered_json json = to_json(mistake_report());
  EXPECT_EQ(json["wrong"], 2);
  EXPECT_NEAR(json["error_low"].get<double>(), 0.0433, 1e-4);
  EXPECT_EQ(json["mistakes"][0]["nearest_of_truth"]["picture"], "d.png");
  EXPECT_EQ(json["mistakes"][0]["scores"], (std::vector<double>{1, 2.5, 0}));
  EXPECT_TRUE(json["mistakes"][1]["nearest_of_truth"].is_null());
  const std::string csv = to_csv(table_of(mistake_report()));
  EXPECT_THAT(csv, ::testing::StartsWith("picture,example_idx,truth,predicted,margin,nearest_of_truth,"
                                         "nearest_of_predicted,score_zero,score_one,score_two & <more>\r\n"
                                         "a.png,0,zero,one,-0.5,d.png,b.png,1,2.5,0\r\n"));
  EXPECT_THAT(csv, HasSubstr("\"f, g.png\",5,two & <more>,zero,-0.25,,,2,0,1\r\n"));
  MistakeReport without_scores = mistake_report();
  without_scores.mistakes[1].scores.clear();
  EXPECT_THAT(to_csv(table_of(without_scores)), Not(HasSubstr("score_")));
}

TEST(MistakePage, ShowsEachBesideTheOthers) {
  const auto page = mistakes_page(mistake_report(), sample::dataset(), "1.2.3");
  ASSERT_TRUE(page.ok());
  const std::string& html = page->html.markup;
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_EQ(count(html, "<img "), 4u) << "two mistakes, and two that the first is like";
  EXPECT_THAT(html, HasSubstr("<code>f, g.png</code>"));
  EXPECT_THAT(html, HasSubstr("two &amp; &lt;more&gt; taken for zero"));
  EXPECT_THAT(page->markdown, HasSubstr("- test image 3 (d.png): a right zero, nearest by its scores\n"));
}

TEST(MistakePage, OfATableIsATable) {
  Dataset table;
  table.column_names = {"x"};
  const auto page = mistakes_page(mistake_report(), table, "1.2.3");
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(is_well_formed(page->html.markup));
  EXPECT_EQ(count(page->html.markup, "<img "), 0u);
  EXPECT_THAT(page->html.markup, HasSubstr("f, g.png"));
}

}  // namespace
}  // namespace mash
