// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "framework/render/correlation_map.hpp"
#include "framework/render/dendrogram.hpp"
#include "framework/render/forest_plot.hpp"
#include "framework/render/histogram_rows.hpp"
#include "framework/render/line_chart.hpp"
#include "framework/render/marked_picture.hpp"
#include "framework/render/scatter_chart.hpp"
#include "framework/render/svg.hpp"
#include "framework/render/wording.hpp"
#include "tests/support/page.hpp"

namespace mash {
namespace {

using mash::testing::count;
using mash::testing::is_well_formed;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Wording, HasTrueMinusesAndNoSignedZero) {
  EXPECT_EQ(with_minus(-0.314, 2), "−0.31");
  EXPECT_EQ(with_minus(-0.001, 2), "0.00");
  EXPECT_EQ(with_sign(0.314, 2), "+0.31");
  EXPECT_EQ(with_sign(0.001, 2), "0.00");
  EXPECT_EQ(with_sign(-2, 1), "−2.0");
  EXPECT_EQ(counted(1, "cut") + ", " + counted(2, "cut"), "1 cut, 2 cuts");
}

TEST(Wording, ErrorsHaveTheirInterval) {
  EXPECT_EQ(wrong_in_words(19, 210), "19 of 210 wrong: 9.0 %, 95 % interval 5.5 to 13.8 % (Clopper–Pearson)");
  EXPECT_EQ(wrong_in_words(0, 100), "0 of 100 wrong: 0.0 %, 95 % interval 0.0 to 3.6 % (Clopper–Pearson)");
  EXPECT_EQ(wrong_in_words(0, 0), "no example");
}

TEST(MarkedPicture, HasTheStrongerMarksStronger) {
  const ImageShape shape{2, 1, 1};
  const std::vector<std::uint8_t> pixels{0, 255};
  const std::vector<PictureMark> marks{{0, 0, 1, 1, 1}, {1, 0, 1, 1, -0.5}, {0, 0, 2, 1, 0.001}};
  const auto svg = marked_picture({pixels, shape, "p", "a <b>", "where"}, marks);
  ASSERT_TRUE(svg.ok());
  EXPECT_TRUE(is_well_formed(svg->markup));
  EXPECT_THAT(svg->markup, HasSubstr("<title id=\"p-title\">a &lt;b&gt;</title>"));
  EXPECT_THAT(svg->markup, HasSubstr("href=\"data:image/png;base64,"));
  EXPECT_THAT(svg->markup, HasSubstr("class=\"speaks-for\" x=\"0\" y=\"0\" width=\"1\" height=\"1\" "
                                     "fill-opacity=\"0.70\""));
  EXPECT_THAT(svg->markup, HasSubstr("class=\"speaks-against\" x=\"1\" y=\"0\" width=\"1\" height=\"1\" "
                                     "fill-opacity=\"0.35\""));
  EXPECT_EQ(count(svg->markup, "<rect"), 2u) << "one that nobody would see is left out";
}

TEST(Wording, SmallNumbersAreWords) {
  EXPECT_EQ(number_in_words(0), "no");
  EXPECT_EQ(number_in_words(1), "one");
  EXPECT_EQ(number_in_words(12), "twelve");
  EXPECT_EQ(number_in_words(13), "13");
}

TEST(Wording, ManyFilesAreALine) {
  const SourceFile first{"data/letters/a/1.png", "", 700'000}, second{"data/letters/b/1.png", "", 500'000};
  EXPECT_EQ(files_in_a_line(std::vector{first, second}), "2 files below data/letters, 1.20 MB");
  EXPECT_EQ(files_in_a_line(std::vector{first}), "1 file below data/letters/a, 700000 bytes");
  EXPECT_EQ(files_in_a_line(std::vector{first, SourceFile{"other.png", "", 1}}), "2 files, 700001 bytes");
}

TEST(LineChartBand, GoesAlongTheUpperEndsAndBackAlongTheLower) {
  LineChart chart;
  chart.id = "c";
  chart.series = {{"a", {{0, 5, "", 5}, {10, 5, "", 0}}}};
  // The plot spans x 58 ... 506 and y 274 ... 58; y goes from 0 to 10.
  EXPECT_THAT(
      line_chart_svg(chart).markup,
      HasSubstr("<polygon class=\"band first\" points=\"58.0,58.0 506.0,166.0 506.0,166.0 58.0,274.0 \"/>"));
  chart.series[0].points[0].half_width = 0;
  EXPECT_THAT(line_chart_svg(chart).markup, Not(HasSubstr("polygon")));
}

TEST(ForestPlot, PlacesMeansIntervalsAndValuesOnOneAxisWithZero) {
  // The axis goes from 270 to 730; -10 to 10 makes zero 500 and a unit 23.
  const ForestPlot plot{"f",      "Gain & loss",    "desc",
                        "points", Format::kDecimal, {{"a<b", "5 ± 5", {5, 5.0}, {-10, 10}}}};
  const std::string svg = forest_plot_svg(plot).markup;
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_THAT(svg, HasSubstr("<line class=\"zero\" x1=\"500.0\" x2=\"500.0\""));
  EXPECT_THAT(svg, HasSubstr("<line class=\"interval\" x1=\"500.0\" x2=\"730.0\""));
  EXPECT_THAT(svg, HasSubstr("<rect class=\"mean\" x=\"610.5\""));
  EXPECT_THAT(svg, HasSubstr("<circle class=\"seed\" cx=\"270.0\""));
  EXPECT_THAT(svg, HasSubstr("<title>a&lt;b: 5 ± 5</title>"));
}

TEST(ForestPlot, OneSeedHasNoLineAndNothingIsNan) {
  const ForestPlot plot{"f",
                        "",
                        "",
                        "",
                        Format::kDecimal,
                        {{"one", "", {1, std::nullopt}, {1}}, {"none", "", {kNan, kNan}, {kNan}}}};
  const std::string svg = forest_plot_svg(plot).markup;
  EXPECT_THAT(svg, Not(HasSubstr("class=\"interval\"")));
  EXPECT_EQ(count(svg, "class=\"mean\""), 1u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(ForestPlot, RowsOfTwoKindsAreFullAndHollow) {
  ForestPlot plot{
      "f", "", "", "gain", Format::kDecimal, {{"a", "1", {1, .5}, {}}, {"b", "2", {2, .5}, {}, true, true}}};
  EXPECT_EQ(plot_of(plot).numbers.columns.size(), 2u);
  plot.kinds = {"base", "own", "shared"};
  const Plot drawn = plot_of(plot);
  EXPECT_EQ(count(drawn.wide.markup, "class=\"mean\""), 1u);
  EXPECT_EQ(count(drawn.wide.markup, "class=\"mean own hollow\""), 1u);
  EXPECT_EQ(render_csv(drawn.numbers), "label,mean,mean_ci95,base\r\na,1.0,0.5,own\r\nb,2.0,0.5,shared\r\n");
}

TEST(ForestPlot, AllZeroIsStillAPicture) {
  const std::string svg =
      forest_plot_svg({"f", "", "", "", Format::kDecimal, {{"zero", "0", {0, 0.0}, {}}}}).markup;
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(ScatterChart, StepsAlongTheFrontAndNamesIt) {
  ScatterChart chart{"s", "Cost", "desc", "µs", "share", Format::kPercent, {}};
  chart.points = {{100, 0.5, "late", "", false, true},
                  {1, 0.2, "early", "", false, true},
                  {10, 0.1, "own<", "", true, false}};
  const std::string svg = scatter_chart_svg(chart).markup;
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "<circle "), 3u);
  EXPECT_THAT(svg, HasSubstr("<circle class=\"point own\""));
  EXPECT_THAT(svg, HasSubstr(">early</text>"));
  EXPECT_THAT(svg, HasSubstr(">own&lt;</text>"));
  // y: 0 ... 0.5 over 370 ... 34. The line leaves the first point level and rises at the second.
  EXPECT_THAT(svg,
              HasSubstr("class=\"curve front\" points=\"193.7,235.6 815.3,235.6 815.3,34.0 870.0,34.0\""));
}

TEST(ScatterChart, OfFewPointsAllHaveTheirNames) {
  ScatterChart chart{"s", "", "", "", "", Format::kDecimal, {{1, 2, "front", "", false, true}}};
  for (int i = 2; i <= 12; ++i) chart.points.push_back({double(i), 1, fmt::format("behind {}", i), ""});
  EXPECT_THAT(scatter_chart_svg(chart).markup, HasSubstr(">behind 12</text>"));
  EXPECT_THAT(scatter_chart_svg(chart, Room::kNarrow).markup, Not(HasSubstr(">behind")));
  chart.points.push_back({13, 1, "one more", ""});
  EXPECT_THAT(scatter_chart_svg(chart).markup, Not(HasSubstr(">behind")));
  EXPECT_THAT(scatter_chart_svg(chart).markup, HasSubstr(">front</text>"));
}

TEST(TickLabel, OfLargeNumbersHasNoExponent) {
  const auto label = [](double value) { return svg::tick_label(value, Format::kDecimal); };
  EXPECT_EQ(label(0), "0");
  EXPECT_EQ(label(0.25), "0.25");
  EXPECT_EQ(label(500'000), "500000");
  EXPECT_EQ(label(1'000'000), "1 M");
  EXPECT_EQ(label(-2'500'000), "−2.5 M");
  EXPECT_EQ(label(2e10), "20 G");
  EXPECT_EQ(svg::tick_label(0.5, Format::kPercent), "50 %");
}

TEST(ScatterChart, AHardlyNegativeShareDoesNotLowerTheAxis) {
  ScatterChart chart{"s", "", "", "", "", Format::kPercent, {}};
  chart.points = {{1, -0.0005, "none", "", false, false}, {10, 0.47, "most", "", false, false}};
  EXPECT_THAT(scatter_chart_svg(chart).markup, Not(HasSubstr(">−")));
  chart.points[0].y = -0.1;
  EXPECT_THAT(scatter_chart_svg(chart).markup, HasSubstr(">−20 %</text>"));
}

TEST(LineChart, AShareHasNoBandBelowZero) {
  LineChart chart;
  chart.id = "c";
  chart.y_format = Format::kPercent;
  chart.series = {{"a", {{1, 0.02, "", 0.05}, {10, 0.08, "", 0.01}}}};
  EXPECT_THAT(line_chart_svg(chart).markup, Not(HasSubstr(">−")));
  chart.series[0].points[0].y = -0.02;
  EXPECT_THAT(line_chart_svg(chart).markup, HasSubstr(">−")) << "differences may be negative";
}

TEST(Charts, HaveADrawingForNarrowPagesWithAnIdOfItsOwn) {
  const ForestPlot forest{"f", "", "", "", Format::kDecimal, {{"a", "5 ± 5", {5, 5.0}, {}}}};
  const Plot plot = plot_of(forest);
  EXPECT_TRUE(is_well_formed(plot.narrow.markup));
  EXPECT_THAT(plot.wide.markup, HasSubstr("<svg viewBox=\"0 0 900 "));
  EXPECT_THAT(plot.narrow.markup, HasSubstr("<svg viewBox=\"0 0 400 "));
  EXPECT_THAT(plot.narrow.markup, HasSubstr("id=\"f-narrow-title\""));
  const ScatterChart scatter{
      "s", "", "", "", "", Format::kDecimal, {{1, 2, "own", "", true, true}, {2, 3, "far", "", false, true}}};
  EXPECT_THAT(plot_of(scatter).narrow.markup, HasSubstr(">own</text>"));
  EXPECT_THAT(plot_of(scatter).narrow.markup, Not(HasSubstr(">far</text>")));
}

TEST(ScatterChart, TheLastTickOfANarrowOneIsNotCutOff) {
  ScatterChart chart{"s", "", "", "", "", Format::kDecimal, {}};
  for (const double most : {200.0, 1000.0, 5000.0, 10000.0}) {
    chart.points = {{2, 1, "a", "", false, true}, {most, 2, "b", "", false, true}};
    const std::string svg = plot_of(chart).narrow.markup;
    const std::string label = fmt::format(" text-anchor=\"middle\">{}</text>", most);
    const std::size_t end = svg.find(label);
    ASSERT_NE(end, std::string::npos) << label;
    const std::size_t begin = svg.rfind("x=\"", end) + 3;
    const double half = svg::text_width(fmt::format("{}", most)) / 2;
    EXPECT_LE(std::stod(svg.substr(begin)) + half, 400) << most;
  }
}

TEST(ScatterChart, LeavesOutWhatHasNoPlace) {
  ScatterChart chart{"s",
                     "",
                     "",
                     "",
                     "",
                     Format::kDecimal,
                     {{0, 1, "free", "", true, true}, {1, kNan, "", "", false, false}}};
  const std::string svg = scatter_chart_svg(chart).markup;
  EXPECT_EQ(count(svg, "<circle "), 0u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(HistogramRows, EachIsAsHighAsItsFullestBin) {
  const std::vector<std::uint32_t> few{1, 2, 0, 1}, many{0, 1000, 500, 0};
  const std::string svg =
      histogram_rows_svg({"h", "Values", "desc", "low to high", {{"a", few}, {"b", many}}}).markup;
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "<rect "), 5u) << "an empty bin has no bar";
  EXPECT_EQ(count(svg, "height=\"20.0\""), 2u);
  EXPECT_EQ(count(svg, "height=\"10.0\""), 3u);
}

TEST(Dendrogram, JoinsBranchesAtTheirHeights) {
  const std::vector<std::string> names{"a", "b&", "c"};
  const std::vector<Merge> merges{{0, 2, 0.2}, {1, 3, 1.0}};
  const std::string svg = dendrogram_svg("d", names, merges, 2).markup;
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_EQ(count(svg, "<polyline class=\"branch"), 4u);
  EXPECT_EQ(count(svg, "<polyline class=\"branch own\""), 2u) << "from c to the root";
  EXPECT_THAT(svg, HasSubstr("3 families, the last joined at 1.00. c first joins a at 0.20."));
  EXPECT_THAT(svg, HasSubstr("b&amp;</text>"));
  // Leaves at 660, the root at 20: a height of 0.2 is 128 to the left.
  EXPECT_THAT(svg, HasSubstr(" 532.0,"));
}

TEST(Dendrogram, WithoutAHighlightedLeaf) {
  const std::vector<std::string> names{"a", "b", "c"};
  const std::vector<Merge> merges{{0, 1, 0.0}, {2, 3, 0.0}};  // the second joins cluster 3 = names.size()
  const std::string svg = dendrogram_svg("d", names, merges, names.size()).markup;
  EXPECT_THAT(svg, HasSubstr("3 families, the last joined at 0.00.</desc>"));
  EXPECT_THAT(svg, Not(HasSubstr("own")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(Dendrogram, NumbersNameWhatIsJoined) {
  const std::vector<std::string> names{"a", "b", "c"};
  const std::vector<Merge> merges{{0, 2, 0.25}, {1, 3, 1.0}};
  EXPECT_EQ(render_csv(dendrogram("d", names, merges, 3).numbers),
            "join,left,right,height\r\n1,a,c,0.25\r\n2,b,join 1,1.0\r\n");
}

TEST(CorrelationMap, HasAPixelEachAndALegend) {
  const cv::Mat pixels = (cv::Mat_<float>(1, 3) << -0.5f, 0.f, 0.5f);
  const Result<std::string> address = correlation_map_uri(pixels, 0.5);
  ASSERT_TRUE(address.ok());
  EXPECT_THAT(*address, HasSubstr("data:image/png;base64,"));
  const std::string legend = correlation_legend_svg("l", 0.5).markup;
  EXPECT_THAT(legend, HasSubstr(">−0.50</text>"));
  EXPECT_THAT(legend, HasSubstr("rgb(33,102,172)"));
  EXPECT_THAT(legend, HasSubstr("rgb(247,247,247)"));
}

}  // namespace
}  // namespace mash
