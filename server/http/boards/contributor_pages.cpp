// SPDX-License-Identifier: Apache-2.0
#include "server/http/boards/contributor_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "framework/base/percent.hpp"
#include "framework/render/forest_plot.hpp"
#include "framework/render/wording.hpp"
#include "server/http/boards/tables.hpp"
#include "server/http/frame/layout.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMostInPlot = 50;

// Calls visit(stand, place of the entry) for each of their heuristics.
template <class Visitor>
void for_each_entry(const ContributorView& view, const Visitor& visitor) {
  for (const auto& stand : view.stands)
    for (std::size_t i = 0; i < stand->entries.size(); ++i)
      if (stand->entries[i].contributor == view.name) visitor(*stand, i);
}

Table heuristics_table(const ContributorView& view) {
  Table table{"Heuristics of " + view.name,
              {{"rank", "rank", Format::kCount},
               {"heuristic", "heuristic"},
               {"version", "version"},
               {"board", "board"},
               {"summary", "what it sees"},
               {"gain", "gain, % of the log-loss", Format::kDecimal, true},
               {"finding", "finding"},
               {"microseconds", "µs a picture", Format::kDecimal},
               {"submission", "submission", Format::kCount}},
              {},
              "nothing is published yet"};
  for_each_entry(view, [&](const BoardStand& stand, std::size_t i) {
    const BoardEntry& entry = stand.entries[i];
    table.rows.push_back({rank_text(stand.ranks[i]), entry.heuristic, entry.version, stand.board.name,
                          entry.summary, gain_cell(entry), finding_in_words(entry), entry.microseconds,
                          entry.submission_id});
  });
  return table;
}

Plot gains_of(const ContributorView& view) {
  ForestPlot plot;
  plot.id = "gain-plot";
  plot.title = "Gain of each heuristic";
  plot.description = "The gain of each heuristic of the table above with its interval, in the same order.";
  plot.x_title = "gain, % of the log-loss";
  for_each_entry(view, [&](const BoardStand& stand, std::size_t i) {
    const BoardEntry& entry = stand.entries[i];
    const std::string label =
        view.stands.size() == 1 ? entry.heuristic : fmt::format("{} ({})", entry.heuristic, stand.board.name);
    if (entry.is_told() && plot.rows.size() < kMostInPlot)
      plot.rows.push_back({label, with_sign(entry.gain, 2), gain_of(entry), {}});
  });
  return plot_of(plot);
}

// The gain of all their heuristics together, on each board where it is measured.
page::Piece together_piece(const ContributorView& view) {
  Table table{"All heuristics together",
              {{"board", "board"},
               {"together", "all together, % of the log-loss", Format::kDecimal, true},
               {"finding", "finding"},
               {"num_together", "heuristics", Format::kCount},
               {"num_seeds", "seeds", Format::kCount},
               {"measured_at", "measured"},
               {"remark", "remark"}},
              {},
              ""};
  for (const auto& stand : view.stands)
    if (const TogetherGain* together = stand->together_of(view.name))
      table.rows.push_back({stand->board.name, together_cell(together), together->finding,
                            std::int64_t(together->num_heuristics), std::int64_t(together->num_seeds),
                            together->measured_at.substr(0, together->measured_at.find('T')),
                            std::string(together->is_current ? "–" : "their heuristics were others then")});
  if (table.rows.empty())
    return page::note(
        "What their heuristics add together is measured where there are two of them at least, by a runner "
        "that has nothing else to do.");
  const page::TableLinks links{
      .cells = [&](std::size_t row, std::size_t column) { return cell_address(table, row, column); }};
  return page::linked_table(
      table,
      "What all their heuristics add to the board's own, offered at once. Those whose features are "
      "another's, to the bit, are left out. It is less than the sum of the gains where they see the same.",
      links);
}

page::Piece submissions_piece(const ContributorView& view) {
  std::map<SubmissionState, std::size_t> counts;
  for (const Submission& submission : view.submissions) ++counts[submission.state];
  Table table{"Submissions of " + view.name,
              {{"state", "state"}, {"count", "submissions", Format::kCount}},
              {},
              "nothing was handed in yet"};
  for (const auto& [state, count] : counts)
    table.rows.push_back({std::string(word_of(state)), std::int64_t(count)});
  if (table.rows.empty()) return page::paragraph(markup("{}.", table.hint));
  page::Piece piece = page::table(table, "How many of their submissions are in each state.");
  piece += page::paragraph(
      markup("{}", link("/submissions?user=" + percent_encoded(view.name), "See each of them")));
  return piece;
}

}  // namespace

std::size_t num_entries(const ContributorView& view) {
  std::size_t count = 0;
  for_each_entry(view, [&](const BoardStand&, std::size_t) { ++count; });
  return count;
}

std::vector<page::Section> contributor_sections(const ContributorView& view) {
  std::vector<page::Section> sections;
  const Table table = heuristics_table(view);
  if (table.rows.empty()) {
    sections.push_back({"heuristics", "Heuristics", page::paragraph(markup("{}.", table.hint))});
  } else {
    const page::TableLinks links{
        .cells = [&](std::size_t row, std::size_t column) { return cell_address(table, row, column); }};
    const std::string_view caption =
        "The newest version of each, by board and gain. A rank such as 2–5 may be any of these. Gains carry "
        "half the width of their 95 % interval.";
    sections.push_back({"heuristics", "Heuristics", page::linked_table(with_dashes(table), caption, links)});
    page::Piece gains = page::plot(gains_of(view));
    if (table.rows.size() > kMostInPlot)
      gains += page::note(fmt::format("The first {} of {} are drawn.", kMostInPlot, table.rows.size()));
    sections.push_back({"gains", "Gains", gains});
    sections.push_back({"together", "All together", together_piece(view)});
  }
  sections.push_back({"submissions", "Submissions", submissions_piece(view)});
  return sections;
}

}  // namespace mash::server
