// SPDX-License-Identifier: Apache-2.0
#include "framework/render/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mash {
namespace {

using ::testing::HasSubstr;

TEST(EscapeHtml, ReplacesWhatHasAMeaning) {
  EXPECT_EQ(escape_html("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST(EscapeHtml, DropsControlCharactersAndKeepsUtf8) { EXPECT_EQ(escape_html("\x01µ\x1b\n\t"), "µ\n\t"); }

TEST(Markup, EscapesTextAndKeepsHtml) {
  const std::string text = "<script>";
  EXPECT_EQ(markup("<p>{}</p>", text).markup, "<p>&lt;script&gt;</p>");
  EXPECT_EQ(markup("<p>{}</p>", "<b>").markup, "<p>&lt;b&gt;</p>") << "literals are text too";
  EXPECT_EQ(markup("<p>{}</p>", markup("<b>{:.1f}</b>", 1.25)).markup, "<p><b>1.2</b></p>");
}

TEST(HtmlTable, HasCaptionScopesAndARowHeader) {
  Table table;
  table.columns = {{"rank", "rank", Format::kCount}, {"name", "who", Format::kText}};
  table.rows = {{std::int64_t(1), std::string("<img onerror=x>")}};
  const std::string html = html_table(table, "Best & rest").markup;
  EXPECT_THAT(html, HasSubstr("<caption>Best &amp; rest</caption>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\" class=\"number\">rank</th>"));
  EXPECT_THAT(html, HasSubstr("<td class=\"number\">1</td>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"row\" class=\"name\">&lt;img onerror=x&gt;</th>"));
}

TEST(HtmlPage, IsWholeAndCarriesItsStyle) {
  const std::string html = html_page("A <title>", markup("<main>x</main>")).markup;
  EXPECT_THAT(html, ::testing::StartsWith("<!DOCTYPE html>\n<html lang=\"en\">"));
  EXPECT_THAT(html, HasSubstr("<title>A &lt;title&gt;</title>"));
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, ::testing::EndsWith("<main>x</main></body>\n</html>\n"));
}

}  // namespace
}  // namespace mash
