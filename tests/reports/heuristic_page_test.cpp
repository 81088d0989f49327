// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic_page.hpp"

#include <regex>

#include "tests/reports/heuristic_report_sample.hpp"
#include "tests/support/page.hpp"

namespace mash {
namespace {

using mash::testing::count;
using mash::testing::is_well_formed;
using mash::testing::repeated_ids;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class HeuristicPageTest : public ::testing::Test {
 protected:
  std::string page() {
    const Result<page::Piece> made = heuristic_page(report_, data_);
    EXPECT_TRUE(made.ok()) << (made.ok() ? "" : made.error().message);
    return made.ok() ? made->html.markup : "";
  }
  // What stands between a section's heading and the next one.
  std::string section(const std::string& id) {
    const std::string html = page();
    const std::size_t begin = html.find("<h2 id=\"" + id + "-heading\">");
    return begin == std::string::npos ? "" : html.substr(begin, html.find("</section>", begin) - begin);
  }

  Dataset data_ = sample::striped_dataset(4, 16, 8);
  HeuristicReport report_ = sample::heuristic_report(data_);
};

std::vector<std::string> ids_of_headings(const std::string& html) {
  static const std::regex heading("<h2 id=\"([^\"]*)-heading\">");
  std::vector<std::string> ids;
  for (auto it = std::sregex_iterator(html.begin(), html.end(), heading); it != std::sregex_iterator(); ++it)
    ids.push_back((*it)[1]);
  return ids;
}

// Sections of a report without anything in it.
HeuristicReport empty_report(const Dataset& data) {
  HeuristicReport report;
  report.trial.heuristic = "new";
  report.trial.class_names = data.class_names;
  report.trial.contribution.family.cost.dim = 0;
  report.dataset_fingerprint = data.fingerprint;
  return report;
}

TEST_F(HeuristicPageTest, HasItsSectionsInOrderEachExplained) {
  const std::string html = page();
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_THAT(ids_of_headings(html),
              ElementsAre("verdict", "figures", "gain", "pictures", "curves", "confusion", "mistakes",
                          "slices", "neighbours", "use", "features", "health", "robustness", "cost", "credit",
                          "history", "provenance", "meaning"));
  for (const std::string& id : ids_of_headings(html)) {
    EXPECT_THAT(html, HasSubstr("<a href=\"#" + id + "\">")) << "in the contents";
    EXPECT_EQ(count(html, " id=\"" + id + "\""), 1u) << "where the link leads";
    EXPECT_TRUE(
        std::regex_search(html, std::regex("<h2 id=\"" + id + "-heading\">[^<]*</h2>(</summary>\n<div id=\"" +
                                           id + "\">)?\n<p class=\"note\">")))
        << id;
  }
}

TEST_F(HeuristicPageTest, NeedsNoNetworkAndNoScript) {
  const std::string html = page();
  for (const char* forbidden : {"http", "<script", "@import", "url("})
    EXPECT_THAT(html, Not(HasSubstr(forbidden)));
}

TEST_F(HeuristicPageTest, EscapesNames) {
  const std::string html = page();
  EXPECT_THAT(html, HasSubstr("<h1>&lt;b&gt;&amp;</h1>"));
  EXPECT_THAT(html, Not(HasSubstr("<b>&")));
}

TEST_F(HeuristicPageTest, SpeaksToThoseWhoCannotSeeIt) {
  const std::string html = page();
  EXPECT_EQ(count(html, "<svg "), count(html, "role=\"img\" aria-labelledby="));
  EXPECT_EQ(count(html, "<svg "), count(html, "<desc id="));
  EXPECT_EQ(count(html, "<desc id=") - count(html, "\"></desc>"), count(html, "<svg ")) << "none is empty";
  EXPECT_EQ(count(html, "<img "), count(html, "alt=\""));
  EXPECT_EQ(count(html, "alt=\"\""), 0u);
  EXPECT_EQ(count(html, "<table"), count(html, "<caption>"));
  EXPECT_EQ(count(html, "class=\"wide\""),
            count(html, "class=\"wide\" role=\"group\" tabindex=\"0\" aria-label="));
  EXPECT_EQ(count(html, "<pre"), count(html, "<pre role=\"group\" aria-label="));
  EXPECT_EQ(count(html, "class=\"panel\""), count(html, "href=\"data:text/csv;charset=utf-8,"))
      << "each plot has its numbers";
  EXPECT_EQ(count(html, "<h1>"), 1u);
  EXPECT_THAT(repeated_ids(html), IsEmpty());
}

TEST_F(HeuristicPageTest, KeyFiguresAndLead) {
  const std::string html = page();
  EXPECT_THAT(html,
              HasSubstr("Version 1.2.0 (cells=4) on stripes (600 training and 16 test examples), beside the "
                        "pool: 3 other families; 100 rounds, seeds 1, 2, 3"));
  EXPECT_THAT(html, HasSubstr("<dt>Gain when added</dt><dd>+2.00 ± 2.48<small>"));
  EXPECT_THAT(html,
              HasSubstr("<dt>Test error with it</dt><dd>8.00 % ± 1.00<small>without it 10.00 % ± 1.00"));
  EXPECT_THAT(html, HasSubstr("<dt>Pictures</dt><dd>+6 −1<small>"));
  EXPECT_THAT(html, HasSubstr("<dd>CKA 0.82<small>lbp; 1: tells the same"));
  EXPECT_THAT(html, HasSubstr("<dd>12 of 40<small>"));
}

TEST_F(HeuristicPageTest, VerdictIsThatOfTheOfferTest) {
  const std::string body = section("verdict");
  EXPECT_THAT(body, HasSubstr("<li>" + escape_html(headline(*report_.offer)) + "</li>"));
  EXPECT_THAT(body, HasSubstr(escape_html(next_step(*report_.offer))));
  EXPECT_THAT(body, HasSubstr("16 seeds")) << "the looks";
}

TEST_F(HeuristicPageTest, VerdictAndAdviceAreThoseOfTheTrialWhereNothingCouldBeOffered) {
  report_.offer.reset();
  const std::string body = section("verdict");
  for (const std::string& line : verdict(report_.trial))
    EXPECT_THAT(body, HasSubstr("<li>" + line + "</li>"));
  EXPECT_THAT(body, HasSubstr(escape_html(advice(report_.trial))));
}

TEST_F(HeuristicPageTest, GainsHaveSeeds) {
  const std::string body = section("gain");
  EXPECT_EQ(count(body, "<svg "), 2u) << "for wide and for narrow pages";
  EXPECT_EQ(count(body, "class=\"seed\""), 12u) << "three of each comparison, drawn twice";
  EXPECT_THAT(body, HasSubstr("in the place of lbp: +0.10 ± 0.75"));
  EXPECT_THAT(body, HasSubstr("Alone it gains +45.00 ± 2.00 points"));
}

TEST_F(HeuristicPageTest, PicturesHaveTheirClass) {
  const std::string body = section("pictures");
  EXPECT_EQ(count(body, "<img src=\"data:image/png;base64,"), 7u);
  EXPECT_THAT(body, HasSubstr("alt=\"Fixed: test image 3, true class 3\""));
  EXPECT_THAT(body, HasSubstr("alt=\"Broken: test image 4, true class 0\""));
  EXPECT_THAT(body, HasSubstr("Fixed 6, broken 1: p = 0.07"));
}

TEST_F(HeuristicPageTest, OfManyPicturesSomeAreShownInEqualSteps) {
  data_ = sample::striped_dataset(4, 96, 8);
  auto& fixed = report_.trial.contribution.family.added.fixed;
  fixed.clear();
  for (std::size_t i = 0; i < 96; ++i) fixed.push_back(i);
  const std::string body = section("pictures");
  EXPECT_EQ(count(body, "<img "), 13u);
  EXPECT_THAT(body, HasSubstr("12 of 96 are shown"));
  EXPECT_THAT(body, HasSubstr("test image 88,"));
}

TEST_F(HeuristicPageTest, CurvesHaveBands) {
  const std::string body = section("curves");
  EXPECT_EQ(count(body, "class=\"band "), 4u) << "with and without it, drawn twice";
  EXPECT_THAT(body, HasSubstr("The test error with it ends at 8.50 % after round 100."));
}

TEST_F(HeuristicPageTest, ConfusionsOfFewClassesAreAMatrix) {
  const std::string body = section("confusion");
  EXPECT_THAT(body,
              HasSubstr("<th scope=\"row\">class 1</th><td class=\"less\" style=\"--share:1.00\">−2.0</td>"));
  EXPECT_THAT(body, HasSubstr("<td class=\"more\" style=\"--share:0.25\">+0.5</td>"));
}

TEST_F(HeuristicPageTest, ConfusionsOfManyClassesAreATableOfPairs) {
  for (std::size_t i = 4; i < 21; ++i) {
    data_.class_names.push_back(fmt::format("class {}", i));
    report_.trial.class_names.push_back(data_.class_names.back());
  }
  const std::string body = section("confusion");
  EXPECT_THAT(body, HasSubstr("of 21 classes"));
  EXPECT_LT(body.find("−2.0"), body.find("+0.5")) << "the largest first";
}

TEST_F(HeuristicPageTest, MistakesAndClustersNameWhoVotesAgainst) {
  const std::string body = section("mistakes");
  EXPECT_EQ(count(body, "<img "), 12u + 7u + 3u) << "worst, medoid with six members, medoid with two";
  EXPECT_THAT(body, HasSubstr("margin −0.50; most against: hog (−0.400) and lbp (−0.110)"));
  EXPECT_THAT(body, HasSubstr("<h3>Cluster 1: 8 mistakes</h3>"));
  EXPECT_THAT(body,
              HasSubstr("<b>class 1</b> taken for <b>class 2</b> (2 of 3); most against the truth: zernike"));
  EXPECT_THAT(body, HasSubstr("The most typical: true <b>class 3</b>"));
}

TEST_F(HeuristicPageTest, SlicesThatChangeNoMoreThanByChanceAreCounted) {
  const std::string body = section("slices");
  EXPECT_EQ(count(body, "<tr"), 3u) << "two and the head";
  EXPECT_THAT(body, HasSubstr(">better</td>"));
  EXPECT_THAT(body, HasSubstr(">worse</td>"));
  EXPECT_THAT(body, HasSubstr("0.3 to 0.5"));
  EXPECT_THAT(body, HasSubstr("1 other changes no more than by chance."));
  report_.slices.erase(report_.slices.begin());
  report_.slices.pop_back();
  EXPECT_THAT(section("slices"), HasSubstr("1 slice was looked at: none changes beyond chance"));
}

// One cut is no ground for ten histograms, a course over the rounds, or six charts of equal lines.
TEST_F(HeuristicPageTest, OfAHeuristicWithOneCutLittleIsShown) {
  report_.feature_use = {40, 1, {1}};
  report_.use.chosen = 1;
  for (RobustnessCurve& curve : report_.robustness)
    for (RobustnessPoint& point : curve.points) point.error_with = point.error_without + 0.001;
  for (SliceGain& slice : report_.slices) slice.p_corrected = 1;
  EXPECT_EQ(count(section("features"), "<article>"), 1u);
  EXPECT_THAT(section("use"), HasSubstr("It is cut too seldom"));
  EXPECT_THAT(section("use"), Not(HasSubstr("<svg ")));
  EXPECT_THAT(section("robustness"), HasSubstr("at most 0.10 points apart"));
  EXPECT_THAT(section("slices"), Not(HasSubstr("<table")));
}

TEST_F(HeuristicPageTest, MarkdownSaysTheSame) {
  const Result<page::Piece> made = heuristic_page(report_, data_);
  ASSERT_TRUE(made.ok());
  const std::string& text = made->markdown;
  EXPECT_THAT(text, ::testing::StartsWith("# \\<b>&\n\nVersion 1.2.0 (cells=4) on stripes"));
  std::vector<std::string> headings;
  for (const std::string& id : ids_of_headings(made->html.markup)) headings.push_back(id);
  EXPECT_EQ(count(text, "\n## "), headings.size());
  EXPECT_THAT(text, HasSubstr("| Gain when added | +2.00 ± 2.48 |"));
  EXPECT_THAT(text, HasSubstr("| added to the pool | 2 ± 2.48 | 2 | 3 | 1 |")) << "the numbers of a plot";
  EXPECT_THAT(text, HasSubstr("- test image 3: true class 3\n"));
  EXPECT_THAT(text, HasSubstr("```\nmash heuristic build new\n"));
  EXPECT_THAT(text, Not(::testing::ContainsRegex("[^\\\\]<")));
}

TEST_F(HeuristicPageTest, NeighboursAndWhatNobodyCovers) {
  const std::string body = section("neighbours");
  EXPECT_THAT(body, HasSubstr("<th scope=\"row\" class=\"name\">lbp</th><td class=\"number\">0.82</td>"
                              "<td class=\"number\">71.00 %</td><td class=\"number\">33.00 %</td>"));
  EXPECT_THAT(body, HasSubstr("&lt;b&gt;&amp; first joins lbp at 0.18."));
  EXPECT_THAT(body, HasSubstr("<h3>What nobody covers yet</h3>"));
  EXPECT_THAT(body, HasSubstr("<b>class 0</b> and <b>class 1</b>: 4.0 mistakes"));
}

TEST_F(HeuristicPageTest, FeaturesHaveHistogramsAndAMap) {
  const std::string body = section("features");
  EXPECT_EQ(count(body, "<article>"), 3u);
  EXPECT_EQ(count(body, "<img "), 3u);
  EXPECT_THAT(body, HasSubstr("edge 0.250, threshold −1.2500, 7 cuts"));
  EXPECT_THAT(body, HasSubstr("Colours of the correlation maps"));
  EXPECT_THAT(body, HasSubstr("from −0.39 to 0.39, strongest in row"));
}

TEST_F(HeuristicPageTest, RestHasItsFigures) {
  EXPECT_THAT(section("use"), HasSubstr("<dt>Evaluated</dt><dd>64000<small>"));
  EXPECT_THAT(section("health"), HasSubstr("never cut: 28 · 70.00 %"));
  EXPECT_THAT(section("health"), HasSubstr("The most used 10 features have 96.67 % of its 60 cuts."));
  EXPECT_EQ(count(section("robustness"), "<svg "), 4u) << "two, drawn twice";
  EXPECT_THAT(section("cost"), HasSubstr("4 points, 2 of them on the front."));
  EXPECT_THAT(section("credit"), HasSubstr("0.025 ± 0.004 nats"));
  EXPECT_THAT(section("history"), HasSubstr("+1.00 ± 2.00"));
  EXPECT_THAT(section("provenance"), HasSubstr(std::string(64, 'e')));
  EXPECT_THAT(section("provenance"), HasSubstr("mash heuristic build new\nmash report new"));
  EXPECT_EQ(count(section("meaning"), "<li>"), 6u);
}

TEST_F(HeuristicPageTest, WithoutDataEverySectionSaysSo) {
  report_ = empty_report(data_);
  const std::string html = page();
  EXPECT_TRUE(is_well_formed(html));
  for (const char* sentence :
       {"There is no other family that it could take the place of.", "No test example.",
        "No learning curve is recorded.", "No two classes are confused", "No mistake is left.",
        "There are no clusters of mistakes.", "No slices were looked at.", "There is no other family.",
        "There are not two families to compare.", "nothing is uncovered", "No use over rounds is recorded.",
        "No feature has an edge.", "It has no features.", "Robustness was not measured.",
        "No cost was measured.", "No Shapley value was computed.", "No measurement is recorded.",
        "No command is recorded"}) {
    EXPECT_THAT(html, HasSubstr(sentence));
  }
  EXPECT_EQ(ids_of_headings(html).size(), 18u);
  EXPECT_THAT(html, Not(HasSubstr(">nan")));
}

TEST_F(HeuristicPageTest, TablesHaveRowsInsteadOfPictures) {
  data_.shape = {};
  data_.test.pixels.clear();
  report_ = sample::heuristic_report(data_);
  const std::string html = page();
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(section("pictures"), HasSubstr("<th scope=\"col\" class=\"number\">test row</th>"));
}

TEST_F(HeuristicPageTest, OneSeedHasNoIntervals) {
  report_.trial.contribution.family.added = sample::comparison({0.02}, {0}, {});
  EXPECT_THAT(page(), HasSubstr("<dt>Gain when added</dt><dd>+2.00<small>"));
}

TEST_F(HeuristicPageTest, AnotherDataSetIsRefused) {
  data_.fingerprint = "other";
  const Result<page::Piece> html = heuristic_page(report_, data_);
  ASSERT_FALSE(html.ok());
  EXPECT_EQ(html.error().kind, ErrorKind::kInput);
  EXPECT_THAT(html.error().message, HasSubstr("with fingerprint f0, found stripes with other"));
}

}  // namespace
}  // namespace mash
