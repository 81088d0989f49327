// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/render/html.hpp"
#include "framework/render/svg.hpp"

// Parts of pages. Each piece is made as HTML and as Markdown at once, so that both say the same.
namespace mash::page {

struct Piece {
  Html html;
  std::string markdown;

  Piece& operator+=(const Piece& more) {
    html += more.html;
    markdown += more.markdown;
    return *this;
  }
};

// Below the heading of a section.
Piece heading(std::string_view text);
// text: with markup inside the line only, such as <b>.
Piece paragraph(const Html& text);
// The sentence that matters most, in the colour of its mood: good, bad or open.
Piece headline(std::string_view text, std::string_view mood);
// A sentence that says how to read a figure, or stands in its place.
Piece note(std::string_view text);
// items: as the text of a paragraph.
Piece list(std::span<const Html> items);
// Text as it was typed: commands, settings.
Piece code(std::string_view name, std::string_view text);

// A table with caption and header cells; names to the left, numbers to the right, the first name a row
// header. On a narrow page a row of many columns becomes a card. marked: rows that stand out; a column must
// say why in words.
Piece table(const Table& table, std::string_view caption, std::span<const std::size_t> marked = {});
// Where headers and cells of a table lead; nothing, or an empty address: nowhere.
struct TableLinks {
  std::vector<std::string> headers = {};  // of each column
  std::function<std::string(std::size_t row, std::size_t column)> cells = {};
  // Rows with a ground of another shade, such as every other group of rows; those beyond the end have none.
  std::vector<bool> shaded = {};
};
Piece linked_table(const Table& table, std::string_view caption, const TableLinks& links,
                   std::span<const std::size_t> marked = {});
// A body that may be wider than the page: scrolled by hand or by keys. name: for those who cannot see it.
Html scrollable(std::string_view name, const Html& body);

// The figures that matter most, large.
struct KeyFigure {
  std::string name, value, detail;
};
Piece key_figures(std::span<const KeyFigure> figures);

// A chart, and its numbers as a CSV file that lies within the page.
Piece plot(const Plot& plot);
// Side by side where there is room.
Piece plots(std::span<const Plot> plots);

struct Section {
  std::string_view id, heading;
  Piece body;
  bool is_folded = false;  // opened by its reader, or by a link to it
};

// The sections below each other, and the list of links to them, for a page of another frame.
Html sections_html(std::span<const Section> sections);
Html contents(std::span<const Section> sections);

// A whole page that needs nothing but itself: style inside, no script, no network.
// heading, lead: what it is of. sections: linked from the top.
Piece page(std::string_view heading, const Html& lead, std::span<const Section> sections,
           std::string_view program_version);

// `text` so that Markdown takes none of it for markup; of HTML without its tags.
std::string markdown_text(std::string_view text);
std::string markdown_text(const Html& html);

}  // namespace mash::page
