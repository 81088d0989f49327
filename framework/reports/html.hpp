// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "framework/reports/table.hpp"

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

// A table with caption and header cells; names to the left, numbers to the right, the first name a row
// header.
Html html_table(const Table& table, std::string_view caption);

// A section with a heading, found by the fragment `id`.
Html html_section(std::string_view id, std::string_view heading, const Html& body);

// A whole page that needs nothing but itself: style inside, no script, no network.
Html html_page(std::string_view title, const Html& body);

}  // namespace mash
