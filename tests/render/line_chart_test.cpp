// SPDX-License-Identifier: Apache-2.0
#include "framework/render/line_chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

LineChart sample_chart() {
  LineChart chart;
  chart.id = "c";
  chart.title = "Loss & <more>";
  chart.description = "falls";
  chart.x_title = "round";
  chart.x_scale = Scale::kLog;
  chart.series = {{"test", {{1, 0, "round 1: 0"}, {10, 5, ""}, {100, 10, "round 100: 10"}}}};
  return chart;
}

TEST(LineChartSvg, PlacesPointsByTheScale) {
  // The plot spans x 58 ... 506 and y 274 ... 58 of a picture of 520 x 320; 10 is halfway between 1 and 100.
  EXPECT_THAT(line_chart_svg(sample_chart()).markup,
              HasSubstr("points=\"58.0,274.0 282.0,166.0 506.0,58.0\""));
}

TEST(LineChartSvg, SpeaksToThoseWhoCannotSeeIt) {
  const std::string svg = line_chart_svg(sample_chart()).markup;
  EXPECT_THAT(svg, HasSubstr("role=\"img\" aria-labelledby=\"c-title c-desc\""));
  EXPECT_THAT(svg, HasSubstr("<title id=\"c-title\">Loss &amp; &lt;more&gt;</title>"));
  EXPECT_THAT(svg, HasSubstr("<desc id=\"c-desc\">falls</desc>"));
  EXPECT_THAT(svg, HasSubstr("<title>round 100: 10</title>"));
}

TEST(LineChartSvg, ALegendFromTwoLinesOn) {
  LineChart chart = sample_chart();
  EXPECT_THAT(line_chart_svg(chart).markup, Not(HasSubstr(">test</text>")));
  chart.series.push_back({"train", {{1, 3, ""}}});
  EXPECT_THAT(line_chart_svg(chart).markup, HasSubstr(">train</text>"));
}

TEST(LineChartSvg, SeriesLookAsTheStyleSheetOrAsTheyThemselvesSay) {
  LineChart chart = sample_chart();
  EXPECT_THAT(line_chart_svg(chart).markup, HasSubstr("<polyline class=\"curve first\" points="));
  chart.series[0].look = {"#d55e00", "6 3"};
  EXPECT_THAT(line_chart_svg(chart).markup,
              HasSubstr("<polyline class=\"curve\" stroke=\"#d55e00\" stroke-dasharray=\"6 3\" points="));
}

TEST(LineChartSvg, BothAxesMayBeLogarithmic) {
  LineChart chart = sample_chart();
  chart.y_scale = Scale::kLog;
  chart.series[0].points = {{1, 1, ""}, {10, 10, ""}, {100, 100, ""}};
  EXPECT_THAT(line_chart_svg(chart).markup, HasSubstr("points=\"58.0,274.0 282.0,166.0 506.0,58.0\""));
}

TEST(LineChartSvg, LeavesOutWhatHasNoPlace) {
  LineChart chart = sample_chart();
  auto& points = chart.series[0].points;
  points.push_back({1000, std::numeric_limits<double>::quiet_NaN(), "gone"});
  points.push_back({1000, -std::numeric_limits<double>::infinity(), "gone"});
  points.push_back({0, 3, "gone"});
  EXPECT_EQ(line_chart_svg(chart).markup, line_chart_svg(sample_chart()).markup);
}

TEST(LineChartSvg, DrawsOnePointOrNoneWithoutNan) {
  LineChart chart = sample_chart();
  chart.series[0].points = {{7, 0.5, "only"}};
  EXPECT_THAT(line_chart_svg(chart).markup, Not(HasSubstr("nan")));
  chart.series[0].points.clear();
  EXPECT_THAT(line_chart_svg(chart).markup, Not(HasSubstr("nan")));
  chart.series.clear();
  EXPECT_THAT(line_chart_svg(chart).markup, HasSubstr("</svg>"));
}

}  // namespace
}  // namespace mash
