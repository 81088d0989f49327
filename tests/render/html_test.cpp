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

}  // namespace
}  // namespace mash
