// SPDX-License-Identifier: Apache-2.0
#include "framework/render/bar_chart.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace mash {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
  const std::string name = fmt::format("{:n>28}éééééé", "");
  const std::string svg = bar_chart_svg({"b", "Use", "", {{name, "", name, 1}}}).markup;
  EXPECT_THAT(svg, HasSubstr(fmt::format("<title>{}</title>", name)));
  EXPECT_THAT(svg, HasSubstr(fmt::format("{:n>28}é…</text>", "")));
}

}  // namespace
}  // namespace mash
