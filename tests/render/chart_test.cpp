// SPDX-License-Identifier: Apache-2.0
#include "framework/render/chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

namespace mash {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<::testing::Matcher<double>> near(std::initializer_list<double> values) {
  std::vector<::testing::Matcher<double>> matchers;
  for (const double value : values) matchers.push_back(DoubleNear(value, 1e-12));
  return matchers;
}

TEST(AxisTicks, LinearOnesAreRound) {
  EXPECT_THAT(axis_ticks(0, 0.5, Scale::kLinear, 5), ElementsAreArray(near({0, 0.1, 0.2, 0.3, 0.4, 0.5})));
  EXPECT_THAT(axis_ticks(-7, 0, Scale::kLinear, 5), ElementsAreArray(near({-6, -4, -2, 0})));
}

TEST(AxisTicks, LogarithmicOnesAreOneTwoFive) {
  EXPECT_THAT(axis_ticks(1, 30, Scale::kLog), ElementsAreArray(near({1, 2, 5, 10, 20})));
}

TEST(AxisTicks, ManyDecadesHaveTheirPowersOnly) {
  EXPECT_THAT(axis_ticks(1, 1e5, Scale::kLog), ElementsAreArray(near({1, 10, 100, 1000, 1e4, 1e5})));
}

TEST(AxisTicks, OneValueIsItsOwnTick) {
  EXPECT_THAT(axis_ticks(3, 3, Scale::kLinear), ElementsAre(3));
  EXPECT_THAT(axis_ticks(3, 3, Scale::kLog), ElementsAre(3));
}

RC_GTEST_PROP(AxisTicks, LieWithinAndAreNeitherNoneNorTooMany, (int exponent, unsigned short width)) {
  const double low = std::pow(10, exponent % 12);
  const double high = low * (1 + 0.01 * (width + 1));
  const auto ticks = axis_ticks(low, high, Scale::kLinear, 5);
  RC_ASSERT(ticks.size() >= 2 && ticks.size() <= 7);
  for (const double tick : ticks) RC_ASSERT(tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
}

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

TEST(BarChartSvg, LengthsAreInProportion) {
  const std::string svg =
      bar_chart_svg({"b", "Use", "two", {{"hog", "50 %", "hog", 0.5}, {"lbp", "25 %", "lbp", 0.25}}}).markup;
  // The longest bar fills the 520 units between names and numbers.
  EXPECT_THAT(svg, HasSubstr("width=\"520.0\""));
  EXPECT_THAT(svg, HasSubstr("width=\"260.0\""));
}

TEST(BarChartSvg, AllZeroIsNoDivisionByZero) {
  const std::string svg = bar_chart_svg({"b", "Use", "none", {{"hog", "0 %", "hog", 0}}}).markup;
  EXPECT_THAT(svg, HasSubstr("width=\"0.0\""));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

TEST(BarChartSvg, LongNamesAreShortenedAndWholeOnHover) {
  const std::string name = std::string(28, 'n') + "éééééé";
  const std::string svg = bar_chart_svg({"b", "Use", "", {{name, "", name, 1}}}).markup;
  EXPECT_THAT(svg, HasSubstr("<title>" + name + "</title>"));
  EXPECT_THAT(svg, HasSubstr(std::string(28, 'n') + "é…</text>"));
}

}  // namespace
}  // namespace mash
