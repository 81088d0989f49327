// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/badge.hpp"

#include "framework/base/utf8.hpp"
#include "framework/render/html.hpp"

namespace mash::server {
namespace {

constexpr std::string_view kLabel = "mash";
constexpr std::size_t kCharacterWidth = 7, kMargin = 6;  // of letters of 11 px

std::size_t text_width(std::string_view text) { return kCharacterWidth * num_code_points(text); }

// White text has a contrast of at least 5.9 to each.
const char* colour_of(BadgeMood mood) {
  switch (mood) {
    case BadgeMood::kGood: return "#2b7352";
    case BadgeMood::kPlain: return "#1f5fa6";
    case BadgeMood::kUnknown: break;
  }
  return "#5f666e";
}

Html text_at(std::size_t x, std::string_view text) {
  return markup("<text x=\"{}\" y=\"14\" textLength=\"{}\">{}</text>\n", x, text_width(text), text);
}

}  // namespace

std::string badge(std::string_view text, BadgeMood mood) {
  const std::size_t label_width = text_width(kLabel) + 2 * kMargin, width = text_width(text) + 2 * kMargin;
  return markup(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"20\" viewBox=\"0 0 {} 20\" "
             "role=\"img\" aria-label=\"{}: {}\">\n<title>{}: {}</title>\n<rect width=\"{}\" height=\"20\" "
             "rx=\"3\" fill=\"#39414b\"/>\n<path d=\"M{} 0h{}a3 3 0 0 1 3 3v14a3 3 0 0 1 -3 3h-{}z\" "
             "fill=\"{}\"/>\n<g fill=\"#fff\" font-family=\"DejaVu Sans,Verdana,Geneva,sans-serif\" "
             "font-size=\"11\">\n{}{}</g>\n</svg>\n",
             label_width + width, label_width + width, kLabel, text, kLabel, text, label_width + width,
             label_width, width - 3, width - 3, colour_of(mood), text_at(kMargin, kLabel),
             text_at(label_width + kMargin, text))
      .markup;
}

}  // namespace mash::server
