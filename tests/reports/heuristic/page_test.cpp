// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/heuristic/page.hpp"

#include <regex>

#include "tests/reports/heuristic/report_sample.hpp"
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
  // The text between a section's heading and the next one.
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
  report.offer = sample::offer(-1, .5, 0);
  report.offer.pictures.class_names = data.class_names;
  report.offer.classes.clear();
  report.offer.cost.dim = 0;
  report.dataset_fingerprint = data.fingerprint;
  return report;
}

TEST_F(HeuristicPageTest, HasItsSectionsInOrderEachExplained) {
  const std::string html = page();
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_THAT(ids_of_headings(html),
              ElementsAre("verdict", "figures", "classes", "pictures", "rivals", "slices", "looks",
                          "features", "health", "neighbours", "cost", "history", "provenance", "meaning"));
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
              HasSubstr("Version 1.2.0 (cells=4) on stripes, offered beside 2 other families, judged on 16 "
                        "of 6000 training pictures, which were held out"));
  EXPECT_THAT(html, HasSubstr("<dt>Gain</dt><dd>+1.50 %<small>of the log-loss, between +1.00 and +2.00"));
  EXPECT_THAT(html, HasSubstr("<dt>Pace of the pool with it</dt><dd>1.30 ×<small>"));
  EXPECT_THAT(html, HasSubstr("<dt>Nearest family</dt><dd>lbp<small>CKA 0.80"));
  EXPECT_THAT(html, HasSubstr("<dd>12 of 40<small>"));
}

TEST_F(HeuristicPageTest, VerdictIsThatOfTheOfferTestInItsColour) {
  const std::string body = section("verdict");
  EXPECT_THAT(body, HasSubstr("<p class=\"headline good\">" + escape_html(headline(report_.offer)) + "</p>"));
  EXPECT_THAT(body, HasSubstr("<b>Next:</b> " + escape_html(next_step(report_.offer))));
  report_ = sample::heuristic_report(data_, -2, -1);
  EXPECT_THAT(section("verdict"), HasSubstr("<p class=\"headline bad\">"));
  report_ = sample::heuristic_report(data_, -2, 2);
  EXPECT_THAT(section("verdict"), HasSubstr("<p class=\"headline open\">"));
}

TEST_F(HeuristicPageTest, ThisVersionStandsBesideEarlierOnesAndOtherHeuristics) {
  const std::string body = section("verdict");
  EXPECT_THAT(body,
              HasSubstr("this version, 1.2.0: +1.50 ± 0.50 %. build dddddd, version 1.1.0: +0.40 ± 0.50 %. "
                        "hog: +6.00 ± 0.50 %. lbp: +0.10 ± 0.50 %. "));
  EXPECT_EQ(count(body, "class=\"mean own\""), 4u) << "two versions, drawn twice";
  for (int i = 0; i < 20; ++i)
    report_.others.push_back(sample::past_offer(fmt::format("h{}", i), "1.0.0", 'a', .2));
  EXPECT_THAT(section("verdict"),
              HasSubstr("The 12 with the largest gains are shown, of 22 that were tried."));
  report_.others.clear();
  EXPECT_THAT(section("verdict"), HasSubstr("No other heuristic of this pool was tried"));
}

TEST_F(HeuristicPageTest, GainsOnSharedBasesAreHollow) {
  EXPECT_THAT(page(), Not(HasSubstr("hollow\"")));
  report_.others[1].offer.base = kSharedBase;
  const std::string body = section("verdict");
  EXPECT_EQ(count(body, "class=\"mean hollow\""), 2u) << "hog, drawn twice";
  EXPECT_THAT(body, HasSubstr("hog: +6.00 ± 0.50 %, base shared. lbp: +0.10 ± 0.50 %. "));
  EXPECT_THAT(body, HasSubstr("Hollow squares: base shared. Base own: "));
  EXPECT_THAT(section("cost"), HasSubstr("on their own and on shared bases alike"));
  const Result<page::Piece> made = heuristic_page(report_, data_);
  ASSERT_TRUE(made.ok());
  EXPECT_THAT(made->markdown, HasSubstr("| hog | 6 ± 0.5 | shared |"));
  EXPECT_THAT(made->markdown, HasSubstr("| this version, 1.2.0 | 1.5 ± 0.5 | own |"));
  report_.offer.history[0].offer.base = kSharedBase;
  EXPECT_EQ(count(section("verdict"), "class=\"mean own hollow\""), 2u);
  EXPECT_THAT(section("history"), HasSubstr(std::string(kBasesMeaning)));
}

TEST_F(HeuristicPageTest, ClassesBeyondChanceAreNamed) {
  const std::string body = section("classes");
  EXPECT_THAT(
      body, HasSubstr("corrected for the 3 classes that were looked at: class 0 (+0.90), class 1 (−0.80)."));
  EXPECT_THAT(body, HasSubstr("class 2: +0.70"));
  for (GainPart& part : report_.offer.classes) part.p_corrected = 1;
  EXPECT_THAT(section("classes"),
              HasSubstr("None of the 3 classes that were looked at changes beyond chance."));
}

TEST_F(HeuristicPageTest, PicturesSayWhatTheyWereTakenFor) {
  const std::string body = section("pictures");
  EXPECT_EQ(count(body, "<img src=\"data:image/png;base64,"), 16u - 1u) << "one does not change";
  EXPECT_THAT(body,
              HasSubstr("alt=\"Training image 0, class 0: was taken for class 1, is now right (probability "
                        "of class 0: 25 %, now 75 %)\""));
  EXPECT_THAT(body, HasSubstr("<b>class 3</b> was right, is now taken for class 0"));
  EXPECT_THAT(body, HasSubstr("for better add up to +2.25 %, pictures for worse to −1.75 %"));
  EXPECT_THAT(body, HasSubstr("2 of 16 change beyond chance"));
  EXPECT_LT(body.find("Training image 15,"), body.find("Training image 14,")) << "the largest loss first";
}

TEST_F(HeuristicPageTest, RivalsOfFewClassesAreAMatrix) {
  const std::string body = section("rivals");
  EXPECT_THAT(body, HasSubstr("<th scope=\"row\">class 1</th><td class=\"better\" style=\"--share:1.00\">"
                              "<b>+0.80</b></td><td class=\"unused\"></td>"));
  EXPECT_THAT(body, HasSubstr("<td class=\"worse\" style=\"--share:0.50\"><b>−0.40</b></td>"));
  EXPECT_THAT(body, HasSubstr("<td class=\"right number\">+0.82</td>")) << "of all rivals";
}

TEST_F(HeuristicPageTest, RivalsOfManyClassesAreATableOfPairs) {
  for (std::size_t i = 4; i < 21; ++i) {
    data_.class_names.push_back(fmt::format("class {}", i));
    report_.offer.pictures.class_names.push_back(data_.class_names.back());
  }
  const std::string body = section("rivals");
  EXPECT_THAT(body, HasSubstr("of 21 classes"));
  EXPECT_LT(body.find("+0.80 ± 0.10"), body.find("−0.40 ± 0.10")) << "the largest first";
}

TEST_F(HeuristicPageTest, SlicesThatChangeNoMoreThanByChanceAreCounted) {
  const std::string body = section("slices");
  EXPECT_EQ(count(body, "<tr"), 3u) << "two and the head";
  EXPECT_THAT(body, HasSubstr(">better</td>"));
  EXPECT_THAT(body, HasSubstr(">worse</td>"));
  EXPECT_THAT(body, HasSubstr("0.3 to 0.5"));
  EXPECT_THAT(body, HasSubstr("1 other changes no more than by chance."));
  report_.slices.resize(1);
  EXPECT_THAT(section("slices"), HasSubstr("1 slice was looked at: none changes beyond chance"));
}

// One win is no ground for ten histograms.
TEST_F(HeuristicPageTest, OfAHeuristicThatWonOnceLittleIsShown) {
  report_.wins = std::vector<std::uint32_t>(40);
  report_.wins[7] = 1;
  for (SliceGain& slice : report_.slices) slice.part.p_corrected = 1;
  EXPECT_EQ(count(section("features"), "<article>"), 1u);
  EXPECT_THAT(section("slices"), Not(HasSubstr("<table")));
  EXPECT_THAT(section("health"), HasSubstr("The best feature has 100.00 % of the 1 rounds that it won."));
}

TEST_F(HeuristicPageTest, MarkdownSaysTheSame) {
  const Result<page::Piece> made = heuristic_page(report_, data_);
  ASSERT_TRUE(made.ok());
  const std::string& text = made->markdown;
  EXPECT_THAT(text, ::testing::StartsWith("# \\<b>&\n\nVersion 1.2.0 (cells=4) on stripes"));
  EXPECT_EQ(count(text, "\n## "), ids_of_headings(made->html.markup).size());
  EXPECT_THAT(text, HasSubstr("\n**\\<b>& adds: "));
  EXPECT_THAT(text, HasSubstr("| Gain | +1.50 % |"));
  EXPECT_THAT(text, HasSubstr("| this version, 1.2.0 | 1.5 ± 0.5 |")) << "the numbers of a plot";
  EXPECT_THAT(text, HasSubstr("- training image 0: class 0 was taken for class 1, is now right"));
  EXPECT_THAT(text, HasSubstr("```\nmash heuristic build new\n"));
  EXPECT_THAT(text, Not(::testing::ContainsRegex("[^\\\\]<")));
}

TEST_F(HeuristicPageTest, RestHasItsFigures) {
  EXPECT_EQ(count(section("looks"), "<svg "), 2u);
  EXPECT_THAT(section("looks"), HasSubstr("8 seeds: +1.25 ± 1.65 %. 16 seeds: +1.50 ± 0.50 %. "));
  EXPECT_THAT(section("neighbours"), HasSubstr("<th scope=\"row\" class=\"name\">lbp</th>"));
  EXPECT_THAT(section("neighbours"), HasSubstr("&lt;b&gt;&amp; first joins lbp at 0.18."));
  EXPECT_EQ(count(section("features"), "<article>"), 3u);
  EXPECT_THAT(section("features"), HasSubstr("7 wins, edge 0.250, threshold −1.2500"));
  EXPECT_THAT(section("features"), HasSubstr("from −0.39 to 0.39, strongest in row"));
  EXPECT_THAT(section("health"), HasSubstr("never won: 28 · "));
  EXPECT_THAT(section("cost"), HasSubstr("hog: 80.0 µs per image, 6 % of the log-loss"));
  EXPECT_THAT(section("history"), HasSubstr(">+1.00 to +2.00</td>"));
  EXPECT_THAT(section("provenance"), HasSubstr(std::string(64, 'e')));
  EXPECT_THAT(section("provenance"), HasSubstr("mash heuristic build new\nmash report new"));
  EXPECT_EQ(count(section("meaning"), "<li>"), 6u);
}

TEST_F(HeuristicPageTest, WithoutDataEverySectionSaysSo) {
  report_ = empty_report(data_);
  const std::string html = page();
  EXPECT_TRUE(is_well_formed(html));
  for (const char* sentence :
       {"No other heuristic of this pool was tried", "No class has two held-out pictures.", "No picture.",
        "No class is told better or worse from another.", "No slices were looked at.",
        "There are not two families to compare.", "No feature has an edge.", "It has no features.",
        "there is nothing to compare", "No version is recorded.", "No command is recorded"}) {
    EXPECT_THAT(html, HasSubstr(sentence));
  }
  EXPECT_EQ(ids_of_headings(html).size(), 14u);
  EXPECT_THAT(html, Not(HasSubstr(">nan")));
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
