// SPDX-License-Identifier: Apache-2.0
#include "framework/render/page.hpp"

#include <algorithm>
#include <array>

#include "framework/base/percent.hpp"
#include "framework/render/style.hpp"
#include "framework/render/wording.hpp"

namespace mash::page {
namespace {

constexpr std::size_t kStackedColumns = 5;  // that many do not fit on a narrow page side by side
constexpr std::size_t kDenseColumns = 8;    // and that many on a wide one only closer together

// Enough of a caption to know a table by.
std::string_view first_sentence(std::string_view caption) { return caption.substr(0, caption.find(". ")); }

// The roles say again what the elements say: a style that makes cards of rows takes it from these.
struct Roles {
  std::string_view table, head, body, row, column_header, row_header, cell;
};
constexpr Roles kPlain{};
constexpr Roles kStacked{" role=\"table\"", " role=\"rowgroup\"",     " role=\"rowgroup\"",
                         " role=\"row\"",   " role=\"columnheader\"", " role=\"rowheader\"",
                         " role=\"cell\""};

Html role(std::string_view attribute) { return {std::string(attribute)}; }

const char* css_class(const Column& column) { return column.format == Format::kText ? "name" : "number"; }

Html linked(std::string_view address, std::string_view text) {
  return address.empty() ? markup("{}", text) : markup("<a href=\"{}\">{}</a>", address, text);
}

Html table_head(const Table& table, const Roles& roles, const TableLinks& links) {
  Html out = markup("<thead{}><tr{}>", role(roles.head), role(roles.row));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    out += markup("<th scope=\"col\"{} class=\"{}\">{}</th>", role(roles.column_header), css_class(column),
                  linked(i < links.headers.size() ? links.headers[i] : "", column.title));
  }
  out += markup("</tr></thead>\n");
  return out;
}

Html table_cell(const Column& column, const Html& shown, const Roles& roles, bool is_header) {
  if (is_header)
    return markup("<th scope=\"row\"{} class=\"{}\">{}</th>", role(roles.row_header), css_class(column),
                  shown);
  if (roles.cell.empty()) return markup("<td class=\"{}\">{}</td>", css_class(column), shown);
  return markup("<td{} class=\"{}\" data-title=\"{}\">{}</td>", role(roles.cell), css_class(column),
                column.title, shown);
}

Table with_markdown_text(Table table) {
  for (auto& row : table.rows)
    for (Cell& cell : row)
      if (auto* text = std::get_if<std::string>(&cell)) *text = markdown_text(*text);
  return table;
}

Html csv_link(const Plot& plot) {
  return markup(
      "<figcaption><a class=\"csv\" download=\"{}.csv\" href=\"data:text/csv;charset=utf-8,{}\" "
      "aria-label=\"CSV: the numbers of {}\">CSV</a></figcaption>",
      plot.id, percent_encoded(render_csv(plot.numbers), ",:;"), plot.title);
}

Html plot_figure(const Plot& plot) {
  const Html drawn = plot.narrow.markup.empty()
                         ? plot.wide
                         : markup("<div class=\"on-wide\">{}</div>\n<div class=\"on-narrow\">{}</div>\n",
                                  plot.wide, plot.narrow);
  return markup("<figure class=\"panel\">\n{}{}</figure>\n", drawn, csv_link(plot));
}

// The words below or above a table, and what its ± are where they do not say it.
std::string with_meaning_of_intervals(std::string_view words, const Table& table) {
  if (!has_intervals(table) || words.find("95 %") != std::string_view::npos) return std::string(words);
  const std::string_view between = words.empty() || words.ends_with(' ') ? ""
                                   : words.ends_with('.')                ? " "
                                                                         : ". ";
  return fmt::format("{}{}{}.", words, between, kHalfInterval);
}

std::string plot_markdown(const Plot& plot) {
  const std::string title = fmt::format("**{}**\n\n", markdown_text(plot.title));
  const std::string words = with_meaning_of_intervals(plot.description, plot.numbers);
  const std::string description = words.empty() ? "" : fmt::format("{}\n\n", markdown_text(words));
  return title + description + render_markdown(with_markdown_text(plot.numbers)) + "\n";
}

Html section_html(const Section& section) {
  if (!section.is_folded)
    return markup(
        "<section id=\"{}\" aria-labelledby=\"{}-heading\">\n<h2 id=\"{}-heading\">{}</h2>\n{}</section>\n",
        section.id, section.id, section.id, section.heading, section.body.html);
  // The link leads to what is folded, as a browser then opens it.
  return markup(
      "<section class=\"folded\" aria-labelledby=\"{}-heading\">\n<details>\n<summary><h2 "
      "id=\"{}-heading\">{}</h2></summary>\n<div id=\"{}\">\n{}</div>\n</details>\n</section>\n",
      section.id, section.id, section.heading, section.id, section.body.html);
}

}  // namespace

Html contents(std::span<const Section> sections) {
  Html links;
  for (const Section& section : sections)
    links += markup("<li><a href=\"#{}\">{}</a></li>", section.id, section.heading);
  return markup("<nav aria-label=\"Contents\"><ul>{}</ul></nav>\n", links);
}

Html sections_html(std::span<const Section> sections) {
  Html out;
  for (const Section& section : sections) out += section_html(section);
  return out;
}

Piece heading(std::string_view text) {
  return {markup("<h3>{}</h3>\n", text), fmt::format("### {}\n\n", markdown_text(text))};
}

Piece paragraph(const Html& text) { return {markup("<p>{}</p>\n", text), markdown_text(text) + "\n\n"}; }

Piece note(std::string_view text) {
  return {markup("<p class=\"note\">{}</p>\n", text), markdown_text(text) + "\n\n"};
}

Piece headline(std::string_view text, std::string_view mood) {
  return {markup("<p class=\"headline {}\">{}</p>\n", mood, text),
          fmt::format("**{}**\n\n", markdown_text(text))};
}

Piece list(std::span<const Html> items) {
  Piece out{markup("<ul>\n"), ""};
  for (const Html& item : items) {
    out.html += markup("<li>{}</li>\n", item);
    out.markdown += fmt::format("- {}\n", markdown_text(item));
  }
  out.html += markup("</ul>\n");
  out.markdown += "\n";
  return out;
}

Piece code(std::string_view name, std::string_view text) {
  std::string fence = "```";  // longer than any in the text
  while (text.find(fence) != std::string_view::npos) fence += '`';
  const char* end = text.ends_with('\n') ? "" : "\n";
  return {markup("<pre role=\"group\" aria-label=\"{}\"><code>{}</code></pre>\n", name, text),
          fmt::format("{}\n{}{}{}\n\n", fence, text, end, fence)};
}

Html scrollable(std::string_view name, const Html& body) {
  return markup("<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"{}\">{}</div>\n", name, body);
}

Piece table(const Table& table, std::string_view caption, std::span<const std::size_t> marked) {
  return linked_table(table, caption, {}, marked);
}

Piece linked_table(const Table& table, std::string_view words, const TableLinks& links,
                   std::span<const std::size_t> marked) {
  const std::string caption = with_meaning_of_intervals(words, table);
  std::size_t first_name = 0;
  while (first_name + 1 < table.columns.size() && table.columns[first_name].format != Format::kText)
    ++first_name;
  const bool is_stacked = table.columns.size() >= kStackedColumns;
  const Roles& roles = is_stacked ? kStacked : kPlain;
  const char* classes = table.columns.size() >= kDenseColumns ? " class=\"stacked dense\""
                        : is_stacked                          ? " class=\"stacked\""
                                                              : "";
  Html out = markup("<table{}{}>\n<caption>{}</caption>\n", role(classes), role(roles.table), caption);
  out += table_head(table, roles, links);
  out += markup("<tbody{}>\n", role(roles.body));
  for (std::size_t row_idx = 0; row_idx < table.rows.size(); ++row_idx) {
    const auto& row = table.rows[row_idx];
    const bool is_marked = std::find(marked.begin(), marked.end(), row_idx) != marked.end();
    const bool is_shaded = row_idx < links.shaded.size() && links.shaded[row_idx];
    out += markup("<tr{}{}>", role(roles.row),
                  role(is_marked   ? " class=\"marked\""
                       : is_shaded ? " class=\"shaded\""
                                   : ""));
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Html shown =
          linked(links.cells ? links.cells(row_idx, i) : "", show(row[i], table.columns[i].format));
      out += table_cell(table.columns[i], shown, roles, i == first_name);
    }
    out += markup("</tr>\n");
  }
  out += markup("</tbody></table>");
  return {scrollable(first_sentence(caption), out),
          fmt::format("{}\n\n{}\n", markdown_text(caption), render_markdown(with_markdown_text(table)))};
}

Piece key_figures(std::span<const KeyFigure> figures) {
  Piece out{markup("<dl class=\"figures\">\n"), ""};
  Table table;
  table.columns = {
      {"figure", "figure", Format::kText}, {"value", "value", Format::kText}, {"detail", "", Format::kText}};
  for (const KeyFigure& figure : figures) {
    out.html += markup("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", figure.name, figure.value,
                       figure.detail);
    table.rows.push_back({figure.name, figure.value, figure.detail});
  }
  out.html += markup("</dl>\n");
  out.markdown = render_markdown(with_markdown_text(table)) + "\n";
  return out;
}

Piece plot(const Plot& plot) { return {plot_figure(plot), plot_markdown(plot)}; }

Piece plots(std::span<const Plot> plots) {
  Piece out{markup("<div class=\"charts\">\n"), ""};
  for (const Plot& plot : plots) out += page::plot(plot);
  out.html += markup("</div>\n");
  return out;
}

Piece page(std::string_view heading, const Html& lead, std::span<const Section> sections,
           std::string_view program_version) {
  Html body = markup("<header>\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n{}</header>\n<main>\n", heading, lead,
                     contents(sections));
  std::string markdown = fmt::format("# {}\n\n{}\n\n", markdown_text(heading), markdown_text(lead));
  for (const Section& section : sections) {
    body += section_html(section);
    markdown += fmt::format("## {}\n\n{}", markdown_text(section.heading), section.body.markdown);
  }
  body += markup("</main>\n<footer><p>Written by mash {}.</p></footer>\n", program_version);
  markdown += fmt::format("Written by mash {}.\n", program_version);
  return {markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n"
                 "<title>{} – mash</title>\n<style>\n{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
                 heading, Html{std::string(kStyle)}, body),
          std::move(markdown)};
}

std::string markdown_text(const Html& html) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};
  std::string text;
  const std::string_view all = html.markup;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == '<') {
      i = std::min(all.find('>', i), all.size());
      continue;
    }
    const auto entity = std::find_if(kEntities.begin(), kEntities.end(),
                                     [&](const auto& one) { return all.substr(i).starts_with(one.first); });
    text += entity == kEntities.end() ? all[i] : entity->second;
    if (entity != kEntities.end()) i += entity->first.size() - 1;
  }
  return markdown_text(text);
}

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_<[";
  std::string out;
  for (const char c : text) {
    if (kMarkup.find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

}  // namespace mash::page
