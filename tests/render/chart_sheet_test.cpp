// SPDX-License-Identifier: Apache-2.0
#include "framework/render/chart_sheet.hpp"

#include <limits>

#include "tests/support/page.hpp"

namespace mash {
namespace {

using mash::testing::count;

using ::testing::HasSubstr;

LineChart chart_of(std::vector<ChartSeries> series, Scale x_scale = Scale::kLog) {
  LineChart chart;
  chart.title = "loss";
  chart.x_title = "seconds";
  chart.x_scale = x_scale;
  chart.series = std::move(series);
  return chart;
}

TEST(ChartSheet, DrawsLinesWithOneLegend) {
  const LineChart chart = chart_of({{"a < b", {{1, 1, ""}, {10, 2, ""}, {100, 4, ""}}, {"#d55e00", "6 3"}}});
  const std::string svg = chart_sheet_svg({"both", 2, {chart, chart}});
  EXPECT_EQ(count(svg, ">100</text>"), 2u) << "a tick of each chart";
  EXPECT_EQ(count(svg, "<polyline"), 2u);
  EXPECT_EQ(count(svg, "<text x=\"1080.0\""), 1u) << "one entry of the legend, right of both";
  EXPECT_EQ(count(svg, "stroke=\"#d55e00\" stroke-dasharray=\"6 3\""), 3u) << "two lines and the legend";
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  // From corner to corner of the plot; x = 10 is in the middle of a logarithmic axis.
  EXPECT_THAT(svg, HasSubstr("points=\"60.0,360.0 270.0,260.0 480.0,60.0\""));
  EXPECT_THAT(svg, HasSubstr("<line class=\"grid\" x1=\"270.0\" x2=\"270.0\" y1=\"60.0\" y2=\"360.0\"/>"));
}

TEST(ChartSheet, LeavesOutWhatAnAxisCannotShow) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  LineChart chart =
      chart_of({{"line", {{0, 5, ""}, {1, 1, ""}, {10, 2, ""}, {20, nan, ""}, {5, -1, ""}}, {"#000000"}}});
  chart.y_scale = Scale::kLog;
  const std::string svg = chart_sheet_svg({"", 1, {chart}});
  EXPECT_THAT(svg, HasSubstr("points=\"60.0,360.0 480.0,60.0\""));
  EXPECT_EQ(count(svg, "nan"), 0u);
  EXPECT_EQ(count(svg, "inf"), 0u);
}

TEST(ChartSheet, BarsOfAGroupStandSideBySideFromZero) {
  LineChart chart = chart_of(
      {{"first", {{1, 2, ""}, {2, 4, ""}}, {"#111111"}}, {"second", {{1, 1, ""}, {2, 0, ""}}, {"#222222"}}},
      Scale::kLinear);
  chart.mark = LineChart::Mark::kBars;
  const std::string svg = chart_sheet_svg({"", 1, {chart}});
  // The axis goes from 0.5 to 2.5 over 420 units, and from 0 to 4 over 300: a bar is 0.4 wide.
  EXPECT_EQ(count(svg, ">-0</text>"), 0u);
  EXPECT_THAT(svg, HasSubstr("<rect x=\"81.0\" y=\"210.0\" width=\"84.0\" height=\"150.0\"/>"));
  EXPECT_THAT(svg, HasSubstr("<rect x=\"165.0\" y=\"285.0\" width=\"84.0\" height=\"75.0\"/>"));
  EXPECT_THAT(svg, HasSubstr("<rect x=\"375.0\" y=\"360.0\" width=\"84.0\" height=\"0.0\"/>"));
}

TEST(ChartSheet, OfChartsWithoutPointsIsStillAPicture) {
  const std::string svg = chart_sheet_svg({"", 3, {chart_of({{"line", {}, {"#000000"}}})}});
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  EXPECT_EQ(count(svg, "nan"), 0u);
}

}  // namespace
}  // namespace mash
