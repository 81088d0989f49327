// SPDX-License-Identifier: Apache-2.0
#include "server/http/heuristics/answers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "framework/base/number.hpp"
#include "framework/base/percent.hpp"
#include "framework/render/forest_plot.hpp"
#include "framework/render/wording.hpp"
#include "server/http/boards/badge.hpp"
#include "server/http/boards/pages.hpp"
#include "server/http/boards/tables.hpp"
#include "server/http/frame/layout.hpp"
#include "server/http/heuristics/compare_sections.hpp"
#include "server/http/heuristics/history.hpp"
#include "server/http/heuristics/source_view.hpp"

namespace mash::server {
namespace {

constexpr std::size_t kMostPlotted = 40;  // versions

using Versions = std::vector<const HeuristicVersion*>;

std::string submission_path(std::int64_t id) { return fmt::format("/submissions/{}", id); }

// The page on this board, where the heuristic is on several; name, value: a parameter more.
std::string page_path(const HeuristicHistory& history, std::string_view name, std::string_view value) {
  const std::string board =
      history.boards.size() > 1 ? "board=" + percent_encoded(history.board.name) + "&" : "";
  return fmt::format("{}?{}{}={}", heuristic_path(history.id), board, name, percent_encoded(value));
}

std::string date_of(std::string_view at) { return std::string(at.substr(0, at.find('T'))); }

page::Piece figures_of(const HeuristicHistory& history, const BoardEntry& entry) {
  const auto& place = history.place;
  const std::vector<page::KeyFigure> figures = {
      {"Rank", place ? rank_text(place->rank()) : "–",
       place && entry.copy_of ? fmt::format("without a rank of its own on {}", history.board.name)
       : place                ? fmt::format("of {} on {}", place->stand->num_ranked(), history.board.name)
                              : fmt::format("on no board now; once on {}", history.board.name)},
      {"Gain", gain_text(entry), fmt::format("of the log-loss; 95 %, {}", counted(entry.num_seeds, "seed"))},
      place ? beyond_figure(*place->stand, entry.submission_id)
            : page::KeyFigure{"Beyond", "–", "on no board now"},
      {"Finding", finding_in_words(entry), "beside the board's own heuristics"},
      {"Cost", in_digits(entry.microseconds, 3) + " µs", "a picture"},
      {"Features", show(std::int64_t(entry.num_features), Format::kCount), "numbers for each picture"},
      {"Contributor", entry.contributor, ""},
      {"Licence", entry.licence, "of the source"},
      {"Verified", entry.verified_at.empty() ? "not yet" : date_of(entry.verified_at),
       entry.verified_at.empty() ? "it was run once; an operator can have it run again"
                                 : "a second run gave the same figures"}};
  return page::key_figures(figures);
}

page::Section standing_section(const Visit& visit, const HeuristicHistory& history, const BoardEntry& entry) {
  page::Piece body = figures_of(history, entry);
  const std::string path = submission_path(entry.submission_id), url = site_url(visit);
  body += page::paragraph(
      markup("{} says what it changes, on which classes and pictures, and what to try next ({}). More of {}: "
             "{}. The board: {}.",
             link(path + "/report", "The report"), link(path + "/report.json", "as JSON"), entry.contributor,
             link("/contributors/" + percent_encoded(entry.contributor), "all heuristics of theirs"),
             link(board_path(history.board), history.board.name)));
  for (const std::string& name : history.boards)
    if (name != history.board.name)
      body += page::paragraph(
          markup("It is also on {}.",
                 link(fmt::format("{}?board={}", heuristic_path(history.id), percent_encoded(name)), name)));
  body += page::paragraph(markup("A badge for your own pages:"));
  body.html += page::code("Badge", fmt::format("[![mash]({}{}/badge.svg)]({}{})", url,
                                               heuristic_path(history.id), url, heuristic_path(history.id)))
                   .html;
  return {"standing", "Where it stands", std::move(body)};
}

std::string remark_of(const HeuristicVersion& version) {
  const Submission& one = version.submission;
  if (version.is_removed()) return "removed: " + one.removed_why;
  if (version.is_repeat) return fmt::format("submission {} run again", *one.rerun_of);
  std::string remark = one.verified_at.empty() ? "" : "verified " + date_of(one.verified_at);
  if (one.rerun_of)
    remark += fmt::format("{}submission {} on a new board", remark.empty() ? "" : ", ", *one.rerun_of);
  if (remark.empty()) remark = one.reason;
  return remark.empty() ? "–" : remark;
}

// Nothing of what was removed but that it is.
std::vector<Cell> version_row(const HeuristicVersion& version, bool with_board) {
  const Submission& one = version.submission;
  const std::string settings =
      one.settings.empty() ? "" : fmt::format(" ({})", settings_in_words(one.settings));
  std::vector<Cell> row{version.is_removed() ? std::string("–") : one.version + settings,
                        one.id,
                        version.is_removed() ? std::string("removed") : std::string(word_of(one.state)),
                        date_of(one.received_at),
                        Cell(),
                        std::string("–"),
                        remark_of(version)};
  if (version.judged) {
    row[4] = gain_cell(*version.judged);
    row[5] = finding_in_words(*version.judged);
  }
  if (with_board) row.insert(row.begin() + 2, version.board_version);
  return row;
}

page::Piece versions_table(const HeuristicHistory& history, const Versions& versions, bool with_board,
                           std::string_view caption) {
  Table table{"Versions",
              {{"version", "version"},
               {"submission", "submission", Format::kCount},
               {"state", "state"},
               {"received_at", "handed in"},
               {"gain", "gain, %", Format::kDecimal, true},
               {"finding", "finding"},
               {"remark", "remark"}},
              {},
              ""};
  if (with_board)
    table.columns.insert(table.columns.begin() + 2, {"board_version", "board version", Format::kCount});
  std::vector<std::size_t> marked;
  for (const HeuristicVersion* version : versions) {
    if (version == history.newest()) marked.push_back(table.rows.size());
    table.rows.push_back(version_row(*version, with_board));
  }
  const page::TableLinks links{{}, [&](std::size_t row, std::size_t column) {
                                 const Submission& one = versions[row]->submission;
                                 if (column == 1) return submission_path(one.id);
                                 if (column > 0 || !versions[row]->counts()) return std::string();
                                 return page_path(history, "version", one.version) + "#source";
                               }};
  return page::linked_table(table, caption, links, marked);
}

page::Piece gains_plot(const HeuristicHistory& history, const Versions& versions) {
  ForestPlot plot{"gains",
                  "Gains of its versions",
                  "Each version with its 95 % interval; the one that stands on the board stands out.",
                  "gain, % of the log-loss",
                  Format::kDecimal,
                  {}};
  for (const HeuristicVersion* version : versions) {
    if (!version->counts() || !version->judged->is_told() || plot.rows.size() == kMostPlotted) continue;
    ForestRow row{version->submission.version, gain_text(*version->judged), gain_of(*version->judged), {}};
    row.is_own = version == history.newest();
    if (row.is_own) row.label += " (newest)";
    plot.rows.push_back(std::move(row));
  }
  return plot.rows.empty() ? page::Piece{} : page::plot(plot_of(plot));
}

// Those of this version of the board, or of former ones.
Versions versions_on(const HeuristicHistory& history, bool is_now) {
  Versions versions;
  for (const HeuristicVersion& version : history.versions)
    if (version.board == history.board.name && (version.board_version == history.board.version) == is_now)
      versions.push_back(&version);
  return versions;
}

std::vector<page::Section> version_sections(const HeuristicHistory& history) {
  std::vector<page::Section> sections;
  const Versions now = versions_on(history, true), former = versions_on(history, false);
  if (!now.empty()) {
    page::Piece body = gains_plot(history, now);
    if (history.board.ladder_step != 0)
      body += page::note(fmt::format(
          "Gains are released in steps of {}, and only where a version is better by a step than the best "
          "before.",
          ladder_step_in_words(history.board.ladder_step)));
    body += versions_table(history, now, false,
                           "All versions, the newest first. Gains are in per cent of the log-loss.");
    sections.push_back({"versions", "Versions", std::move(body)});
  }
  if (!former.empty())
    sections.push_back({"history", "On former versions of the board",
                        versions_table(history, former, true,
                                       "What was judged on another experiment or with other seeds. These "
                                       "gains and those of today are not on one scale.")});
  return sections;
}

// Whose sources may be compared.
std::vector<Choice> comparable(const HeuristicHistory& history) {
  std::vector<Choice> choices;
  for (const HeuristicVersion& version : history.versions)
    if (version.counts() && !version.submission.rerun_of)  // whose source is that of the first
      choices.push_back(
          {std::to_string(version.submission.id),
           fmt::format("{} (submission {})", version.submission.version, version.submission.id)});
  return choices;
}

Result<std::string> source_of(const Visit& visit, std::int64_t id) {
  MASH_ASSIGN(const auto submission, find_submission(visit.records, id));
  return submission ? submission->source : std::string();
}

// The form, and the changes where two were chosen. REQUIRES: those are among the choices.
Result<page::Section> changes_section(const Visit& visit, const HeuristicHistory& history,
                                      const std::vector<Choice>& choices) {
  const std::string from(visit.request.value("from")), to(visit.request.value("to"));
  const Html fields = markup(
      "{}{}<input type=\"hidden\" name=\"board\" value=\"{}\"><p><button>Show what changed</button></p>",
      select_field({"from", "From"}, choices, from.empty() ? choices[1].value : from),
      select_field({"to", "To"}, choices, to.empty() ? choices[0].value : to), history.board.name);
  page::Piece body{markup("<form class=\"filters\" method=\"get\" action=\"{}#changes\">{}</form>\n",
                          heuristic_path(history.id), fields),
                   ""};
  if (!from.empty()) {
    MASH_ASSIGN(const std::string before, source_of(visit, *whole_number_in(from)));
    MASH_ASSIGN(const std::string after, source_of(visit, *whole_number_in(to)));
    body += changes_piece(before, after);
  }
  return page::Section{"changes", "What changed between two versions", std::move(body)};
}

// Whether the choices are those of the page, or none was made.
bool are_choices(const Visit& visit, const std::vector<Choice>& choices) {
  const auto from = visit.request.value("from"), to = visit.request.value("to");
  if (from.empty() && to.empty()) return true;
  const auto is_choice = [&](std::string_view value) {
    return std::ranges::any_of(choices, [&](const Choice& choice) { return choice.value == value; });
  };
  return choices.size() > 1 && is_choice(from) && is_choice(to);
}

Result<page::Section> source_section(const Visit& visit, const HeuristicVersion& version) {
  const std::int64_t id = version.submission.id;
  MASH_ASSIGN(const auto submission, find_submission(visit.records, id));
  MASH_ASSIGN(const auto findings, read_findings(visit.records, id));
  if (!submission) return page::Section{"source", "Source", {}};
  page::Piece body = page::paragraph(markup("Version {}, {}.", version.submission.version,
                                            link(submission_path(id), fmt::format("submission {}", id))));
  body += source_piece(*submission, findings);
  return page::Section{"source", "Source", std::move(body)};
}

// shown: whose source.
Result<std::vector<page::Section>> sections_of(const Visit& visit, const HeuristicHistory& history,
                                               const HeuristicVersion& shown,
                                               const std::vector<Choice>& choices) {
  std::vector<page::Section> sections{standing_section(visit, history, *history.newest()->judged)};
  for (page::Section& section : version_sections(history)) sections.push_back(std::move(section));
  if (choices.size() > 1) {
    MASH_ASSIGN(page::Section changes, changes_section(visit, history, choices));
    sections.push_back(std::move(changes));
  }
  MASH_ASSIGN(page::Section source, source_section(visit, shown));
  sections.push_back(std::move(source));
  return sections;
}

Response removed(const Visit& visit, const HeuristicHistory& history) {
  const auto version = std::ranges::find_if(history.versions, &HeuristicVersion::is_removed);
  const std::string why = version == history.versions.end() ? "" : version->submission.removed_why;
  return trouble(visit, 410, "Removed", "It was removed: " + why);
}

Json version_json(const HeuristicVersion& version) {
  const Submission& one = version.submission;
  Json document{{"submission", one.id},
                {"version", version.is_removed() ? Json() : Json(one.version)},
                {"board_version", version.board_version},
                {"state", word_of(one.state)}};
  const auto& judged = version.judged;
  document["judged_at"] = judged ? Json(judged->judged_at) : Json();
  const bool is_told = judged && judged->is_told();
  document["gain"] = is_told ? Json(judged->gain) : Json();
  document["gain_ci95"] = is_told ? Json(judged->half_width()) : Json();
  document["finding"] = judged ? Json(judged->finding) : Json();
  document["verified_at"] = one.verified_at;
  document["removed_why"] = one.removed_why;
  return document;
}

}  // namespace

Response show_heuristic(Visit& visit, const Parts& parts) {
  const auto found = find_heuristic(visit, parts[0], visit.request.value("board"));
  if (!found.ok()) return failed(visit, found.error());
  if (!found->has_value()) return not_found(visit);
  const HeuristicHistory& history = **found;
  const HeuristicVersion* newest = history.newest();
  if (newest == nullptr) return removed(visit, history);
  const auto asked = visit.request.value("version");
  const HeuristicVersion* shown = asked.empty() ? newest : history.find_version(asked);
  const std::vector<Choice> choices = comparable(history);
  if (shown == nullptr || !are_choices(visit, choices)) return not_found(visit);
  const auto sections = sections_of(visit, history, *shown, choices);
  if (!sections.ok()) return failed(visit, sections.error());
  const BoardEntry& entry = *newest->judged;
  const Html lead =
      markup("{}{}Version {}, by {}.", entry.summary, entry.summary.empty() ? "" : ". ", entry.version,
             link("/contributors/" + percent_encoded(entry.contributor), entry.contributor));
  return site_page(visit, history.id, lead, *sections);
}

Response show_badge(Visit& visit, const Parts& parts) {
  const auto place = find_place(visit, parts[0], visit.request.value("board"));
  if (!place.ok()) return failed(visit, place.error());
  Response response{200, "image/svg+xml"};
  if (place->has_value()) {
    const BoardEntry& entry = (*place)->entry();
    response.body = badge(fmt::format("rank {}, {}", rank_text((*place)->rank()), gain_text(entry)),
                          entry.low > 0 ? BadgeMood::kGood : BadgeMood::kPlain);
  } else {
    response.status = 404;
    response.body = badge("not found", BadgeMood::kUnknown);
  }
  response.headers.emplace_back("Cache-Control", "max-age=300");
  return response;
}

Response tell_heuristic(Visit& visit, const Parts& parts) {
  const auto found = find_heuristic(visit, parts[0], visit.request.value("board"));
  if (!found.ok()) return failed(visit, found.error());
  if (!found->has_value()) return not_found(visit);
  const HeuristicHistory& history = **found;
  Json document{{"heuristic", history.id}, {"board", history.board.name}, {"versions", Json::array()}};
  for (const HeuristicVersion& version : history.versions)
    if (version.board == history.board.name && !version.is_repeat)
      document["versions"].push_back(version_json(version));
  return json(document);
}

Response show_compare(Visit& visit, const Parts&) {
  const auto compared = read_compared(visit);
  if (!compared.ok()) return failed(visit, compared.error());
  std::string names;
  for (const Compared& one : *compared) names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
  return site_page(visit, "Compare", markup("{}.", names), compare_sections(*compared));
}

}  // namespace mash::server
