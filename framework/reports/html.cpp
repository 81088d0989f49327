// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/html.hpp"

#include "framework/reports/style.hpp"

namespace mash {

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

Html html_table(const Table& table, std::string_view caption) {
  std::size_t first_name = 0;
  while (first_name + 1 < table.columns.size() && table.columns[first_name].format != Format::kText)
    ++first_name;
  const auto css_class = [&](std::size_t i) {
    return table.columns[i].format == Format::kText ? "name" : "number";
  };
  Html out = markup("<div class=\"wide\"><table>\n<caption>{}</caption>\n<thead><tr>", caption);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    out += markup("<th scope=\"col\" class=\"{}\">{}</th>", css_class(i), table.columns[i].title);
  }
  out += markup("</tr></thead>\n<tbody>\n");
  for (const auto& row : table.rows) {
    out += markup("<tr>");
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string shown = show(row[i], table.columns[i].format);
      out += i == first_name ? markup("<th scope=\"row\" class=\"{}\">{}</th>", css_class(i), shown)
                             : markup("<td class=\"{}\">{}</td>", css_class(i), shown);
    }
    out += markup("</tr>\n");
  }
  out += markup("</tbody></table></div>\n");
  return out;
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
