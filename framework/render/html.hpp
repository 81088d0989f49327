// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "framework/render/table.hpp"

namespace mash {

// A piece of HTML or SVG. Text becomes Html only through `markup`, which escapes it: that is the one place.
struct Html {
  std::string markup;

  Html& operator+=(const Html& more) {
    markup += more.markup;
    return *this;
  }
};

// `text` with & < > " ' as entities and without the control characters that HTML forbids.
std::string escape_html(std::string_view text);

namespace detail {
inline const std::string& escaped(const Html& html) { return html.markup; }
inline std::string escaped(std::string_view text) { return escape_html(text); }
template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
Number escaped(Number number) {
  return number;
}
template <class T>
using Escaped = std::decay_t<decltype(escaped(std::declval<const T&>()))>;
}  // namespace detail

// fmt::format for HTML: the format is taken as it is, and so are arguments that are Html; text is escaped.
//   markup("<td class=\"{}\">{}</td>", "name", heuristic.author)
template <class... Args>
Html markup(fmt::format_string<detail::Escaped<Args>...> format, const Args&... args) {
  return {fmt::vformat(fmt::string_view(format), fmt::make_format_args(detail::escaped(args)...))};
}

// What may be wider than the page: scrolled by hand or by keys. name: for those who cannot see it.
Html html_scrollable(std::string_view name, const Html& body);
// A picture on a ground of its own, scrolled where the page is narrow.
Html html_panel(std::string_view name, const Html& picture);
// Text as it was typed: commands, settings.
Html html_code(std::string_view name, std::string_view text);

// A table with caption and header cells; names to the left, numbers to the right, the first name a row
// header. marked: rows that stand out; a column must say why in words.
Html html_table(const Table& table, std::string_view caption, std::span<const std::size_t> marked = {});

// A sentence below or instead of a figure.
Html html_note(std::string_view text);

// One of the figures of a <dl class="figures">.
Html html_figure(std::string_view name, std::string_view value, std::string_view detail);

struct HtmlSection {
  std::string_view id, heading;
  Html body;
};
// Links to the sections.
Html html_contents(std::span<const HtmlSection> sections);

// A section with a heading, found by the fragment `id`.
Html html_section(std::string_view id, std::string_view heading, const Html& body);

// A whole page that needs nothing but itself: style inside, no script, no network.
Html html_page(std::string_view title, const Html& body);

}  // namespace mash
