// SPDX-License-Identifier: Apache-2.0
#include "server/http/pages.hpp"

#include <fmt/format.h>

#include "framework/base/rank_intervals.hpp"
#include "framework/base/statistics.hpp"
#include "framework/render/forest_plot.hpp"
#include "framework/render/page.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMostInPlot = 50;

std::vector<RankInterval> ranks_of(const std::vector<BoardEntry>& entries) {
  std::vector<MeasuredScore> scores;
  for (const BoardEntry& entry : entries)
    scores.push_back({entry.gain, entry.standard_error, std::max<std::size_t>(2, entry.num_seeds)});
  return measured_rank_intervals(scores);
}

std::string rank_text(const RankInterval& rank) {
  return rank.low == rank.high ? std::to_string(rank.low) : fmt::format("{}–{}", rank.low, rank.high);
}

std::string whole_page(std::string_view heading, const Html& lead, std::span<const page::Section> sections) {
  return page::page(heading, lead, sections, MASH_VERSION).html.markup;
}

Plot gain_plot(const std::vector<BoardEntry>& entries) {
  ForestPlot plot;
  plot.id = "gains";
  plot.title = "Gain of each heuristic";
  plot.description = "The gain of each heuristic on the board with its interval, the best first.";
  plot.x_title = "gain, % of the log-loss";
  for (std::size_t i = 0; i < std::min(entries.size(), kMostInPlot); ++i) {
    const BoardEntry& entry = entries[i];
    plot.rows.push_back({entry.heuristic,
                         fmt::format("{:+.2f}", entry.gain),
                         {entry.gain, (entry.high - entry.low) / 2},
                         {}});
  }
  return plot_of(plot);
}

}  // namespace

Table board_table(const Board& board, const std::vector<BoardEntry>& entries) {
  Table table{"Board " + board.name,
              {{"rank", "rank"},
               {"heuristic", "heuristic"},
               {"version", "version"},
               {"contributor", "contributor"},
               {"gain", "gain, % of the log-loss", Format::kDecimal, true},
               {"finding", "it"},
               {"num_seeds", "seeds", Format::kCount},
               {"num_features", "features", Format::kCount},
               {"microseconds", "µs a picture", Format::kDecimal},
               {"submission", "submission", Format::kCount}},
              {},
              "nothing is published yet: submit the first heuristic"};
  const std::vector<RankInterval> ranks = ranks_of(entries);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const BoardEntry& entry = entries[i];
    table.rows.push_back({rank_text(ranks[i]), entry.heuristic, entry.version, entry.contributor,
                          Estimate{entry.gain, (entry.high - entry.low) / 2}, entry.finding,
                          std::int64_t(entry.num_seeds), std::int64_t(entry.num_features), entry.microseconds,
                          entry.submission_id});
  }
  return table;
}

std::string board_page(const Board& board, const std::vector<BoardEntry>& entries) {
  const Table table = board_table(board, entries);
  std::vector<page::Section> sections;
  if (entries.empty()) {
    sections.push_back({"ranking", "Ranking", page::paragraph(markup("{}.", table.hint))});
  } else {
    const std::string_view caption =
        "Ranks that cannot be told apart are shown as an interval; gains carry half the width of theirs.";
    sections.push_back({"ranking", "Ranking", page::table(table, caption)});
    sections.push_back({"gains", "Gains", page::plot(gain_plot(entries))});
  }
  sections.push_back(
      {"settings", "What is measured",
       page::paragraph(
           markup("Each heuristic is offered beside those of this experiment, with up to {} seeds. The "
                  "gain is what it removes of the log-loss on pictures that nobody is shown.",
                  board.num_seeds)) += page::code("experiment", board.experiment)});
  return whole_page("Board " + board.name,
                    markup("{} heuristics, ranked by what they add. <a href=\"/board.csv\">CSV</a>, <a "
                           "href=\"/api/v1/board\">JSON</a>.",
                           entries.size()),
                    sections);
}

std::string submission_page(const Submission& submission, const std::vector<SubmissionEvent>& events) {
  Table log{"Log", {{"at", "time (UTC)"}, {"state", "state"}, {"text", "what happened"}}, {}, "nothing yet"};
  for (const SubmissionEvent& event : events)
    log.rows.push_back({event.at, std::string(word_of(event.state)), event.text});
  const std::string_view mood =
      submission.state == SubmissionState::kPublished                                  ? "good"
      : is_final(submission.state) && submission.state != SubmissionState::kSuperseded ? "bad"
                                                                                       : "open";
  page::Piece state = page::headline(
      submission.reason.empty() ? fmt::format("This submission is {}.", word_of(submission.state))
                                : fmt::format("{}: {}", word_of(submission.state), submission.reason),
      mood);
  if (submission.fault == Blame::kServer)
    state += page::paragraph(markup("This is the server's fault and is not counted as yours."));
  if (submission.state == SubmissionState::kPublished || submission.state == SubmissionState::kSuperseded)
    state +=
        page::paragraph(markup("<a href=\"/submissions/{}/report\">The report</a> says what it changes, and "
                               "what to try next.",
                               submission.id));
  const page::Section sections[] = {
      {"state", "State", state},
      {"log", "Log", page::table(log, "Each step, the latest last.")},
      {"source", "Source", page::code(submission.file_name, submission.source)}};
  return whole_page(fmt::format("Submission {}", submission.id),
                    markup("{} by {}, {}. <a href=\"/\">The board</a>", submission.file_name,
                           submission.contributor, submission.received_at),
                    sections);
}

std::string message_page(std::string_view heading, std::string_view text) {
  const page::Section sections[] = {{"message", "What to do", page::paragraph(markup("{}", text))}};
  return whole_page(heading, markup("<a href=\"/\">The board</a>"), sections);
}

}  // namespace mash::server
