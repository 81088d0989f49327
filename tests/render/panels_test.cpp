// SPDX-License-Identifier: Apache-2.0
#include "framework/render/panels.hpp"

#include <limits>

namespace mash {
namespace {

using ::testing::HasSubstr;

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(PanelSheet, DrawsLinesWithOneLegend) {
  const PanelSeries line{"a < b", "#d55e00", "6 3", {{1, 1}, {10, 2}, {100, 4}}};
  const Panel panel{"loss", "seconds", Scale::kLog, Scale::kLinear, {line}};
  const std::string svg = panel_sheet_svg({"both", 2, {panel, panel}});
  EXPECT_EQ(count(svg, ">100</text>"), 2u) << "a tick of each panel";
  EXPECT_EQ(count(svg, "<polyline"), 3u) << "two lines and the legend";
  EXPECT_EQ(count(svg, "<text x=\"1086\""), 1u) << "one entry of the legend, right of both";
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  // From corner to corner of the panel; x = 10 is in the middle of a logarithmic axis.
  EXPECT_THAT(svg, HasSubstr("points=\"60.0,360.0 270.0,260.0 480.0,60.0 \""));
}

TEST(PanelSheet, LeavesOutWhatAnAxisCannotShow) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const PanelSeries line{"line", "#000000", "none", {{0, 5}, {1, 1}, {10, 2}, {20, nan}, {5, -1}}};
  const Panel panel{"", "", Scale::kLog, Scale::kLog, {line}};
  const std::string svg = panel_sheet_svg({"", 1, {panel}});
  EXPECT_THAT(svg, HasSubstr("points=\"60.0,360.0 480.0,60.0 \""));
  EXPECT_EQ(count(svg, "nan"), 0u);
  EXPECT_EQ(count(svg, "inf"), 0u);
}

TEST(PanelSheet, BarsOfAGroupStandSideBySideFromZero) {
  const Panel panel{
      "",
      "feature",
      Scale::kLinear,
      Scale::kLinear,
      {{"first", "#111111", "none", {{1, 2}, {2, 4}}}, {"second", "#222222", "none", {{1, 1}, {2, 0}}}},
      Panel::Kind::kBars};
  const std::string svg = panel_sheet_svg({"", 1, {panel}});
  // The axis goes from 0.5 to 2.5 over 420 units, and from 0 to 4 over 300: a bar is 0.4 wide.
  EXPECT_EQ(count(svg, ">-0</text>"), 0u);
  EXPECT_THAT(svg, HasSubstr("<rect x=\"81.0\" y=\"210.0\" width=\"84.0\" height=\"150.0\"/>"));
  EXPECT_THAT(svg, HasSubstr("<rect x=\"165.0\" y=\"285.0\" width=\"84.0\" height=\"75.0\"/>"));
  EXPECT_THAT(svg, HasSubstr("<rect x=\"375.0\" y=\"360.0\" width=\"84.0\" height=\"0.0\"/>"));
}

TEST(PanelSheet, OfPanelsWithoutPointsIsStillAPicture) {
  const Panel panel{"empty", "x", Scale::kLog, Scale::kLog, {{"line", "#000000", "none", {}}}};
  const std::string svg = panel_sheet_svg({"", 3, {panel}});
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  EXPECT_EQ(count(svg, "nan"), 0u);
}

}  // namespace
}  // namespace mash
