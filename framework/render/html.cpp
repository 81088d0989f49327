// SPDX-License-Identifier: Apache-2.0
#include "framework/render/html.hpp"

#include <algorithm>

#include "framework/render/style.hpp"

namespace mash {
namespace {

// Enough of a caption to know a table by.
std::string_view first_sentence(std::string_view caption) { return caption.substr(0, caption.find(". ")); }

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

Html html_scrollable(std::string_view name, const Html& body) {
  return markup("<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"{}\">{}</div>\n", name, body);
}

Html html_panel(std::string_view name, const Html& picture) {
  return markup("<figure class=\"panel\" tabindex=\"0\" aria-label=\"{}\">{}</figure>\n", name, picture);
}

Html html_code(std::string_view name, std::string_view text) {
  return markup("<pre role=\"group\" tabindex=\"0\" aria-label=\"{}\"><code>{}</code></pre>\n", name, text);
}

Html html_table(const Table& table, std::string_view caption, std::span<const std::size_t> marked) {
  std::size_t first_name = 0;
  while (first_name + 1 < table.columns.size() && table.columns[first_name].format != Format::kText)
    ++first_name;
  const auto css_class = [&](std::size_t i) {
    return table.columns[i].format == Format::kText ? "name" : "number";
  };
  Html out = markup("<table>\n<caption>{}</caption>\n<thead><tr>", caption);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    out += markup("<th scope=\"col\" class=\"{}\">{}</th>", css_class(i), table.columns[i].title);
  }
  out += markup("</tr></thead>\n<tbody>\n");
  for (std::size_t row_idx = 0; row_idx < table.rows.size(); ++row_idx) {
    const auto& row = table.rows[row_idx];
    const bool is_marked = std::find(marked.begin(), marked.end(), row_idx) != marked.end();
    out += is_marked ? markup("<tr class=\"marked\">") : markup("<tr>");
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string shown = show(row[i], table.columns[i].format);
      out += i == first_name ? markup("<th scope=\"row\" class=\"{}\">{}</th>", css_class(i), shown)
                             : markup("<td class=\"{}\">{}</td>", css_class(i), shown);
    }
    out += markup("</tr>\n");
  }
  out += markup("</tbody></table>");
  return html_scrollable(first_sentence(caption), out);
}

Html html_note(std::string_view text) { return markup("<p class=\"note\">{}</p>\n", text); }

Html html_figure(std::string_view name, std::string_view value, std::string_view detail) {
  return markup("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, detail);
}

Html html_contents(std::span<const HtmlSection> sections) {
  Html links;
  for (const HtmlSection& section : sections)
    links += markup("<li><a href=\"#{}\">{}</a></li>", section.id, section.heading);
  return markup("<nav aria-label=\"Contents\"><ul>{}</ul></nav>\n", links);
}

Html html_section(std::string_view id, std::string_view heading, const Html& body) {
  return markup("<section aria-labelledby=\"{}\">\n<h2 id=\"{}\">{}</h2>\n{}</section>\n", id, id, heading,
                body);
}

Html html_page(std::string_view title, const Html& body) {
  return markup(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      title, Html{std::string(kStyle)}, body);
}

}  // namespace mash
