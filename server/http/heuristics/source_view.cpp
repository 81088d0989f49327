// SPDX-License-Identifier: Apache-2.0
#include "server/http/heuristics/source_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "framework/base/utf8.hpp"
#include "framework/render/wording.hpp"
#include "server/http/frame/layout.hpp"
#include "server/http/frame/line_diff.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMostShown = 5000;                                // lines
constexpr std::size_t kMostBytes = 256 << 10, kMostBytesOfLine = 2000;  // shown of a source, of its line
constexpr std::size_t kNeighbours = 3;                                  // lines before and after a change

// A line as it is shown.
std::string cut(std::string_view line) {
  if (line.size() <= kMostBytesOfLine) return std::string(line);
  const std::string_view beginning = line.substr(0, kMostBytesOfLine);
  return std::string(beginning.substr(0, utf8_prefix(beginning))) + "…";
}

// The beginning of a source that is shown: whole lines.
std::string_view shown_part(std::string_view source) {
  std::size_t num_bytes = 0, end = 0;
  for (std::size_t i = 0; i < kMostShown && num_bytes < kMostBytes && end < source.size(); ++i) {
    const std::size_t next = std::min(source.find('\n', end), source.size() - 1) + 1;
    num_bytes += std::min(next - end, kMostBytesOfLine);
    end = next;
  }
  return source.substr(0, end);
}

std::size_t num_lines(std::string_view source) {
  return std::size_t(std::ranges::count(source, '\n')) + (source.ends_with('\n') ? 0 : 1);
}

// Tables of lines are read row by row, as their text is: their cells have no headers.
Html lines_table(std::string_view name, const Html& rows) {
  return page::scrollable(
      name, markup("<table class=\"source\" role=\"presentation\">\n<tbody>\n{}</tbody></table>", rows));
}

Html finding_text(const SourceFinding& finding) {
  return finding.column > 0 ? markup("<b>{}</b>, column {}: {}", finding.kind, finding.column, finding.text)
                            : markup("<b>{}</b>: {}", finding.kind, finding.text);
}

using FindingsByLine = std::multimap<std::size_t, const SourceFinding*>;

// Findings by the line that is shown; those of no such line stand apart, at 0.
FindingsByLine by_line(std::span<const SourceFinding> findings, std::size_t num_lines) {
  FindingsByLine found;
  for (const SourceFinding& finding : findings)
    found.emplace(finding.line <= num_lines ? std::size_t(finding.line) : 0, &finding);
  return found;
}

// Findings without a line, and the lines of the others.
Html findings_before(const FindingsByLine& found) {
  std::vector<Html> items;
  Html places;
  std::size_t last = 0;
  for (const auto& [line, finding] : found) {
    if (line == 0) {
      items.push_back(finding->line == 0 ? finding_text(*finding)
                                         : markup("line {}: {}", finding->line, finding_text(*finding)));
    } else if (line != last) {
      places += markup("{}<a href=\"#line-{}\">{}</a>", Html{last == 0 ? "" : ", "}, line, line);
      last = line;
    }
  }
  Html out = items.empty() ? Html{} : page::list(items).html;
  if (last > 0) out += markup("<p>The compiler or a check says something of these lines: {}.</p>\n", places);
  return out;
}

Html change_row(const DiffLine& line) {
  const auto number = [](std::size_t value) { return value == 0 ? std::string() : std::to_string(value); };
  const char* css_class = line.change == LineChange::kAdded     ? " class=\"added\""
                          : line.change == LineChange::kRemoved ? " class=\"removed\""
                                                                : "";
  const char* sign = line.change == LineChange::kAdded ? "+" : line.change == LineChange::kRemoved ? "−" : "";
  return markup(
      "<tr{}><td class=\"line\">{}</td><td class=\"line\">{}</td><td "
      "class=\"line\">{}</td><td>{}</td></tr>\n",
      Html{css_class}, number(line.before), number(line.after), sign, cut(line.text));
}

// Which lines are changed or near to one.
std::vector<bool> near_changes(std::span<const DiffLine> lines) {
  std::vector<bool> is_near(lines.size(), false);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].change == LineChange::kSame) continue;
    const std::size_t end = std::min(lines.size(), i + kNeighbours + 1);
    for (std::size_t near = i - std::min(i, kNeighbours); near < end; ++near) is_near[near] = true;
  }
  return is_near;
}

Html change_rows(std::span<const DiffLine> lines) {
  const std::vector<bool> is_near = near_changes(lines);
  Html rows;
  std::size_t num_left_out = 0, num_shown = 0, num_bytes = 0;
  const auto tell_left_out = [&] {
    if (num_left_out > 0)
      rows += markup("<tr><td colspan=\"3\" class=\"line\">…</td><td>{} the same</td></tr>\n",
                     counted(num_left_out, "line"));
    num_left_out = 0;
  };
  for (std::size_t i = 0; i < lines.size() && num_shown < kMostShown && num_bytes < kMostBytes; ++i) {
    if (!is_near[i]) {
      ++num_left_out;
      continue;
    }
    tell_left_out();
    rows += change_row(lines[i]);
    num_bytes += std::min(lines[i].text.size(), kMostBytesOfLine);
    ++num_shown;
  }
  tell_left_out();
  return rows;
}

// The number of the part that has a line, from 1; 0: none has it.
std::size_t part_of(const Side& side, std::size_t line) {
  const auto found = std::ranges::find_if(
      side.parts, [&](const MarkedLines& part) { return part.first <= line && line <= part.last; });
  return found == side.parts.end() ? 0 : std::size_t(found - side.parts.begin()) + 1;
}

// own, other: beginnings of the ids of parts on either side.
Html side_table(const Side& side, std::string_view own, std::string_view other) {
  if (side.source.empty()) return page::paragraph(markup("{}", kTakenBack)).html;
  const std::vector<std::string_view> lines = lines_of(shown_part(side.source));
  Html rows;
  std::size_t last = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t part = part_of(side, i + 1);
    const Html number = part == 0 || part == last
                            ? Html{part == 0 ? "" : "│"}
                            : markup("<a id=\"{}-{}\" href=\"#{}-{}\">{}</a>", own, part, other, part, part);
    rows += markup("<tr{}><td class=\"line\">{}</td><td class=\"line\">{}</td><td>{}</td></tr>\n",
                   Html{part == 0 ? "" : " class=\"equal\""}, i + 1, number, cut(lines[i]));
    last = part;
  }
  return markup("<p class=\"note\">{}: {}.</p>\n{}", side.name, counted(num_lines(side.source), "line"),
                lines_table(side.name, rows));
}

}  // namespace

page::Piece source_piece(const Submission& submission, std::span<const SourceFinding> findings) {
  if (submission.source.empty()) return page::paragraph(markup("{}", kTakenBack));
  const std::vector<std::string_view> lines = lines_of(shown_part(submission.source));
  const std::size_t num_shown = lines.size(), num_all = num_lines(submission.source);
  const FindingsByLine found = by_line(findings, num_shown);
  Html rows;
  for (std::size_t i = 0; i < num_shown; ++i) {
    rows += markup("<tr id=\"line-{}\"><td class=\"line\">{}</td><td>{}</td></tr>\n", i + 1, i + 1,
                   cut(lines[i]));
    const auto [begin, end] = found.equal_range(i + 1);
    for (auto finding = begin; finding != end; ++finding)
      rows += markup("<tr class=\"found\"><td colspan=\"2\">{}</td></tr>\n", finding_text(*finding->second));
  }
  const std::string shown =
      num_shown < num_all ? fmt::format(", of which the first {} are shown", num_shown) : "";
  const Html about = markup("<p class=\"note\">{}: {}{}. Licence: {}. {}.</p>\n", submission.file_name,
                            counted(num_all, "line"), shown, submission.licence,
                            link(fmt::format("/submissions/{}/source", submission.id), "As plain text"));
  return {
      markup("{}{}{}", findings_before(found), about, lines_table("Source of " + submission.file_name, rows)),
      ""};
}

page::Piece sides_piece(const Side& one, const Side& other) {
  return {markup("<div class=\"sides\">\n<div>\n{}</div>\n<div>\n{}</div>\n</div>\n",
                 side_table(one, "one", "other"), side_table(other, "other", "one")),
          ""};
}

page::Piece changes_piece(std::string_view before, std::string_view after) {
  const std::vector<DiffLine> lines = line_diff(before, after);
  const auto count = [&](LineChange change) {
    return std::size_t(std::ranges::count(lines, change, &DiffLine::change));
  };
  const std::size_t num_added = count(LineChange::kAdded), num_removed = count(LineChange::kRemoved);
  if (num_added + num_removed == 0) return page::paragraph(markup("Both sources are the same."));
  const std::string shown =
      num_added + num_removed > kMostShown
          ? fmt::format(" The first {} of them and their neighbours are shown.", kMostShown)
          : "";
  page::Piece out = page::note(
      fmt::format("{} added (+), {} removed (−). Numbers are those of the line before and after.{}",
                  counted(num_added, "line"), counted(num_removed, "line"), shown));
  out.html += lines_table("Lines that changed", change_rows(lines));
  return out;
}

}  // namespace mash::server
