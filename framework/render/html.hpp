// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

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

}  // namespace mash
