// SPDX-License-Identifier: Apache-2.0
#include "framework/render/page.hpp"

#include <gmock/gmock.h>

#include "framework/render/forest_plot.hpp"
#include "framework/render/line_chart.hpp"
#include "tests/support/page.hpp"

namespace mash {
namespace {

using mash::testing::count;
using mash::testing::is_well_formed;
using mash::testing::repeated_ids;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Table small_table() {
  Table table;
  table.columns = {{"rank", "rank", Format::kCount}, {"name", "who", Format::kText}};
  table.rows = {{std::int64_t(1), std::string("<img onerror=x>")}};
  return table;
}

TEST(PageTable, HasCaptionScopesAndARowHeader) {
  const page::Piece made = page::table(small_table(), "Best & rest");
  const std::string& html = made.html.markup;
  EXPECT_THAT(html, HasSubstr("<caption>Best &amp; rest</caption>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\" class=\"number\">rank</th>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number\">1</td>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"row\" class=\"name\">&lt;img onerror=x&gt;</th>"));
  EXPECT_EQ(made.markdown, "Best & rest\n\n| rank | who |\n|---:|---|\n| 1 | \\<img onerror=x> |\n\n");
}

TEST(PageTable, RowsOfManyColumnsAreCardsOnANarrowPageAndStayATableForThoseWhoHearIt) {
  Table table = small_table();
  for (const char* title : {"a", "b", "c & d"}) {
    table.columns.push_back({title, title, Format::kDecimal});
    table.rows[0].emplace_back(0.5);
  }
  const std::string html = page::table(table, "Many").html.markup;
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_THAT(html, HasSubstr("<table class=\"stacked\" role=\"table\">"));
  EXPECT_THAT(html, HasSubstr("<td role=\"cell\" class=\"number\" data-title=\"c &amp; d\">0.5</td>"));
  EXPECT_EQ(count(html, "<tr"), count(html, "<tr role=\"row\""));
  EXPECT_THAT(page::table(small_table(), "Few").html.markup, Not(HasSubstr("role=\"cell\"")));
}

TEST(PagePlot, CarriesItsNumbersAsCsv) {
  ForestPlot forest{"f", "Gain <1>", "Two gains.", "points", Format::kDecimal, {}};
  forest.rows = {{"a, b", "1 ± 2", {1, 2.0}, {0.5, 1.5}}, {"none", "–", {3, {}}, {}}};
  const page::Piece made = page::plot(plot_of(forest));
  const std::string& html = made.html.markup;
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_THAT(repeated_ids(html), IsEmpty());
  EXPECT_EQ(count(html, "<svg "), 2u) << "for wide and for narrow pages";
  EXPECT_THAT(html, HasSubstr("download=\"f.csv\" href=\"data:text/csv;charset=utf-8,label,mean,mean_ci95,"
                              "value_1,value_2%0D%0A%22a,%20b%22,1.0,2.0,0.5,1.5%0D%0Anone,3.0,,,%0D%0A\""));
  EXPECT_THAT(
      made.markdown,
      HasSubstr(
          "**Gain \\<1>**\n\nTwo gains. ±: half the width of the 95 % interval.\n\n|  | points | 1 | 2 |\n"));
  EXPECT_THAT(made.markdown, HasSubstr("| a, b | 1 ± 2 | 0.5 | 1.5 |\n| none | 3 | – | – |\n"));
}

TEST(PagePlot, LinesHaveARowForEachX) {
  LineChart chart;
  chart.id = "c";
  chart.x_title = "round";
  chart.series = {{"with it", {{1, 5, "h", 0.5}, {10, 4, "h", 0}}}, {"without it", {{1, 6, "h", 0}}}};
  const Table numbers = plot_of(chart).numbers;
  EXPECT_EQ(render_csv(numbers),
            "round,with_it,with_it_ci95,without_it\r\n1.0,5.0,0.5,6.0\r\n10.0,4.0,0.0,\r\n");
}

TEST(PageSections, FoldedOnesAreOpenedByTheLinkToThem) {
  const page::Section sections[] = {{"first", "First", page::note("one")},
                                    {"second", "Second <2>", page::note("two"), true}};
  const page::Piece made = page::page("A <title>", markup("with <b>{}</b>", "R&D"), sections, "1.0");
  const std::string& html = made.html.markup;
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_THAT(repeated_ids(html), IsEmpty());
  EXPECT_THAT(html, ::testing::StartsWith("<!DOCTYPE html>\n<html lang=\"en\">"));
  EXPECT_THAT(html, HasSubstr("<title>A &lt;title&gt; – mash</title>"));
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, HasSubstr("<a href=\"#second\">Second &lt;2&gt;</a>"));
  const std::size_t details = html.find("<details>"), target = html.find("<div id=\"second\">");
  EXPECT_LT(details, target) << "a browser opens what holds the target of a link";
  EXPECT_LT(target, html.find("</details>"));
  EXPECT_EQ(count(html, "<details>"), 1u);
  EXPECT_EQ(
      made.markdown,
      "# A \\<title>\n\nwith R&D\n\n## First\n\none\n\n## Second \\<2>\n\ntwo\n\nWritten by mash 1.0.\n");
}

TEST(PageMarkdown, TakesNoTextForMarkup) {
  EXPECT_EQ(page::markdown_text("a_b *c* [d](e) `f` \\ <g>"), "a\\_b \\*c\\* \\[d](e) \\`f\\` \\\\ \\<g>");
  EXPECT_EQ(page::markdown_text(markup("<b>{}</b> & \"more\"", "x<y>&'z'")), "x\\<y>&'z' & \"more\"");
  EXPECT_EQ(page::code("Commands", "a\n```\nb").markdown, "````\na\n```\nb\n````\n\n");
}

TEST(PageHeadline, HasTheColourOfItsMood) {
  const page::Piece made = page::headline("a < b", "good");
  EXPECT_EQ(made.html.markup, "<p class=\"headline good\">a &lt; b</p>\n");
  EXPECT_EQ(made.markdown, "**a \\< b**\n\n");
}

TEST(PageList, IsAListInBothForms) {
  const Html items[] = {markup("one <b>{}</b>", "1")};
  const page::Piece made = page::list(items);
  EXPECT_EQ(made.html.markup, "<ul>\n<li>one <b>1</b></li>\n</ul>\n");
  EXPECT_EQ(made.markdown, "- one 1\n\n");
}

}  // namespace
}  // namespace mash
